import { expect, jest, test } from '@jest/globals'
import { deadlineOf } from './deadline.js'

test('a released deadline has let go of the signal that outlives it', () => {
  const { signal: outer } = new AbortController()
  const [add, remove] = [jest.spyOn(outer, 'addEventListener'), jest.spyOn(outer, 'removeEventListener')]
  const { signal, release } = deadlineOf(60_000, outer)
  release()
  expect(remove.mock.calls).toEqual(add.mock.calls)
  expect([add.mock.calls.length, signal.aborted]).toEqual([1, false])
})

test('a deadline ends with its time, and with the other signal for its reason', async () => {
  const { signal } = deadlineOf(1)
  await new Promise(resolve => signal.addEventListener('abort', resolve))
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  const outer = new AbortController()
  const before = deadlineOf(60_000, outer.signal)
  outer.abort('stopped')
  expect(before.signal.reason).toBe('stopped')
  expect(deadlineOf(60_000, outer.signal).signal.reason).toBe('stopped')
})
