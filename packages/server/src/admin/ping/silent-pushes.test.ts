import type { RecordValue } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { decideSilent } from './silent-pushes.js'

const MINUTE = 60_000

/** Returns a device to which silent messages are sent at these minutes. */
function device() {
  let record: RecordValue = {}
  return (minute: number) => {
    const { verdict, change } = decideSilent(record, 1_000_000_000_000 + minute * MINUTE)
    record = { ...record, ...change }
    return verdict
  }
}

test('three silent messages go, then one that shows itself stands for all until there is room', () => {
  const at = device()
  expect([0, 0, 1, 2, 3, 4, 19].map(at)).toEqual([
    'silent',
    'silent',
    'silent',
    'visible',
    'throttled',
    'throttled',
    'throttled',
  ])
  expect([21, 22, 23].map(at)).toEqual(['silent', 'visible', 'throttled'])
})

test('a device that was left alone for an hour has room for three again, and for no more', () => {
  const at = device()
  expect([0, 0, 0].map(at)).toEqual(['silent', 'silent', 'silent'])
  expect([600, 600, 600, 600].map(at)).toEqual(['silent', 'silent', 'silent', 'visible'])
})

test('a clock that is set back refills nothing', () => {
  const at = device()
  expect([60, 60, 60, 0, 0].map(at)).toEqual(['silent', 'silent', 'silent', 'visible', 'throttled'])
})
