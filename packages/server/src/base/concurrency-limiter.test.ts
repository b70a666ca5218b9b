import { expect, test } from '@jest/globals'
import { ConcurrencyLimiter } from './concurrency-limiter.js'

const later = () => new Promise<void>(resolve => setImmediate(resolve))

test('a bounded number run at once, the others in order of arrival', async () => {
  const turns = new ConcurrencyLimiter(3)
  let running = 0
  let most = 0
  const begun: number[] = []
  const work = async (number: number): Promise<void> => {
    begun.push(number)
    most = Math.max(most, ++running)
    await later()
    running--
  }
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const all = Promise.all(numbers.map(number => turns.run(() => work(number))))
  expect(turns.waiting).toBe(47)
  await all
  expect([most, begun, turns.waiting]).toEqual([3, numbers, 0])
})

test('a failure passes its turn on, and an empty line takes the next at once', async () => {
  const turns = new ConcurrencyLimiter(1)
  const failing = turns.run(async () => {
    await later()
    throw new Error('it failed')
  })
  const second = turns.run(async () => 'second')
  await expect(failing).rejects.toThrow('it failed')
  expect(await second).toBe('second')
  expect(await turns.run(async () => 'third')).toBe('third')
})
