import { expect, test } from '@jest/globals'
import { ManualTimers } from '../testing/manual-timers.js'
import { IdleDetector } from './idle-detector.js'

test('rest is told once, a moment after the last transaction', () => {
  const timers = new ManualTimers()
  const rests: number[] = []
  const resting = new IdleDetector(timers, () => rests.push(timers.now))
  timers.pass(5000)
  expect(rests).toEqual([])
  for (let turn = 0; turn < 5; turn++) {
    resting.committed()
    resting.committed()
    timers.pass(600)
  }
  expect(rests).toEqual([])
  expect(timers.waits).toHaveLength(1)
  timers.pass(2000)
  expect(rests).toHaveLength(1)
  timers.pass(60_000)
  expect(rests).toHaveLength(1)
  expect(timers.waits).toEqual([])
  resting.committed()
  timers.pass(2000)
  expect(rests).toHaveLength(2)
})
