import { expect, jest, test } from '@jest/globals'
import { deadlineOf } from './deadline.js'

test('a released deadline no longer listens to the outer signal', () => {
  const { signal: outer } = new AbortController()
  const [add, remove] = [jest.spyOn(outer, 'addEventListener'), jest.spyOn(outer, 'removeEventListener')]
  const { signal, release } = deadlineOf(60_000, outer)
  release()
  expect(remove.mock.calls).toEqual(add.mock.calls)
  expect([add.mock.calls.length, signal.aborted]).toEqual([1, false])
})

test('a deadline aborts at its time, or with the reason of the outer signal', async () => {
  const { signal } = deadlineOf(1)
  await new Promise(resolve => signal.addEventListener('abort', resolve))
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  const outer = new AbortController()
  const before = deadlineOf(60_000, outer.signal)
  outer.abort('stopped')
  expect(before.signal.reason).toBe('stopped')
  expect(deadlineOf(60_000, outer.signal).signal.reason).toBe('stopped')
})
