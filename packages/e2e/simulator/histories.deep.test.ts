import { amount, partOf, redisIsThere, redisUrl } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'
import { seedsOfTurn } from './seeds.js'

/** The kinds of a cycle of seeds (`world/history.ts`). Of the special plans, each turn has a third. */
const KINDS = [
  { kind: 'of every kind', from: 1, histories: amount({ deep: 90, night: 1500 }) },
  { kind: 'about rare events', from: 1501, histories: amount({ deep: 15, night: 500 }) },
  { kind: 'whose changes go through queues', from: 2001, histories: amount({ deep: 40, night: 190 }) },
  ...partOf([2191, 2261, 2331], 3).map(from => ({
    kind: 'with special plans',
    from,
    histories: amount({ deep: 40, night: 70 }),
  })),
  { kind: 'about rare events, through queues', from: 3501, histories: amount({ deep: 15, night: 500 }) },
]
const testOnRedis = redisUrl() !== undefined || redisIsThere() ? test : test.skip
const HOURS = 6 * 3_600_000

const simulator = useHistories()

test.each(
  KINDS.flatMap(({ kind, from, histories }) => seedsOfTurn(from, histories).map(range => ({ kind, ...range }))),
)(
  'every promise is kept in $histories histories $kind from $first',
  ({ first, histories }) => {
    expect(simulator.run({ first, histories })).toEqual({ kept: histories, failure: '' })
  },
  HOURS,
)

testOnRedis.each(seedsOfTurn(1, amount({ deep: 15, night: 400 })))(
  'every promise is kept in $histories histories from $first over Redis',
  ({ first, histories }) => {
    expect(simulator.run({ first, histories, store: 'redis' })).toEqual({ kept: histories, failure: '' })
  },
  HOURS,
)

test('every fault happened in these histories, and every comparison was made', () => {
  expect(simulator.missing()).toEqual([])
})
