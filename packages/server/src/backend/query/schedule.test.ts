import type { Head } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { LAST_TIME } from '../sources/last-time.js'
import { isDue } from './schedule.js'

const NOW = 1_700_000_000_000
const HOUR = 3_600_000
const HEAD: Head = {
  ...{ epoch: 'e', mark: 'm', checksum: '0', version: 0, count: 0, floor: 0, queriesRequested: 0, queriesServed: 0 },
  readAt: NOW,
}
const isDueAt = (pollInterval: number, head: Partial<Head>): boolean =>
  isDue({ methods: { query: () => ({}) }, pollInterval }, { ...HEAD, ...head })

test('a time that was set while the clock was ahead is over, by any server and however the query ended', () => {
  const [ahead, right] = [NOW + HOUR, NOW]
  // A query that failed sets no `queriedAt`.
  expect(isDueAt(60, { dueSetAt: ahead, nextQuery: ahead + 60_000 })).toBe(true)
  expect(isDueAt(60, { queriedAt: ahead, dueSetAt: ahead, nextQuery: ahead + 60_000 })).toBe(true)
  expect(isDueAt(-1, { dueSetAt: ahead, nextQuery: ahead + 60_000 })).toBe(true)
  expect(isDueAt(60, { queriedAt: right, dueSetAt: right, nextQuery: right + 60_000 })).toBe(false)
  // However far away, a time that was set under the right clock stands.
  expect(isDueAt(60, { queriedAt: right - HOUR, dueSetAt: right, nextQuery: right + 24 * HOUR })).toBe(false)
})

test('a time that a store of before has no setting of counts from its last query', () => {
  expect(isDueAt(60, { queriedAt: NOW + HOUR, nextQuery: NOW + HOUR + 60_000 })).toBe(true)
  expect(isDueAt(60, { queriedAt: NOW, nextQuery: NOW + 60_000 })).toBe(false)
})

test('a source that is queried only on request stays so under any clock', () => {
  expect(isDueAt(-1, { dueSetAt: NOW + HOUR, nextQuery: LAST_TIME })).toBe(false)
})
