import { expect, jest, test } from '@jest/globals'
import { untilAborted } from './until-aborted.js'

const ended = () => new Error('given up')

async function* numbers(count: number): AsyncGenerator<number> {
  for (let at = 0; at < count; at++) yield at
}

test('a stream listens to its signal once, and stops listening at its end', async () => {
  const { signal } = new AbortController()
  const [add, remove] = [jest.spyOn(signal, 'addEventListener'), jest.spyOn(signal, 'removeEventListener')]
  const seen: number[] = []
  for await (const part of untilAborted(numbers(100), signal, ended)) seen.push(part)
  expect(seen).toHaveLength(100)
  expect(add).toHaveBeenCalledTimes(1)
  expect(remove.mock.calls).toEqual(add.mock.calls)
})

test('a source that stops yielding is not waited for', async () => {
  const stopping = new AbortController()
  let isReturned = false
  async function* stalled() {
    try {
      yield 1
      await new Promise(() => undefined)
    } finally {
      isReturned = true
    }
  }
  const parts = untilAborted(stalled(), stopping.signal, ended)
  expect(await parts.next()).toEqual({ done: false, value: 1 })
  const next = parts.next()
  stopping.abort()
  await expect(next).rejects.toThrow('given up')
  expect(isReturned).toBe(false)
})

test('a source is not read after its time-out, and ends with its reader', async () => {
  const asked = jest.fn(numbers)
  await expect(untilAborted(asked(1), AbortSignal.abort(), ended).next()).rejects.toThrow('given up')
  const { signal } = new AbortController()
  const remove = jest.spyOn(signal, 'removeEventListener')
  for await (const _ of untilAborted(numbers(5), signal, ended)) break
  expect(remove).toHaveBeenCalledTimes(1)
})
