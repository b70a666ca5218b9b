import { amount, redisIsThere, redisUrl, verifies } from '@godwit/testing'
import { afterAll, describe, expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'
import { seedsOfTurn } from './seeds.js'

const KINDS = [
  { kind: 'of every kind', from: 1, histories: amount({ deep: 160, night: 2000 }) },
  { kind: 'that are worked through queues', from: 2001, histories: amount({ deep: 60, night: 190 }) },
  { kind: 'whose plans let meet what hardly ever does', from: 2191, histories: amount({ deep: 60, night: 210 }) },
  { kind: 'of rare events, through queues', from: 3501, histories: amount({ deep: 30, night: 500 }) },
]
const testOnRedis = redisUrl() !== undefined || redisIsThere() ? test : test.skip
const HOURS = 6 * 3_600_000

describe('a run of the seeds of a turn', () => {
  const simulator = useHistories()
  afterAll(() => expect(simulator.missing()).toEqual([]))

  test.each(
    KINDS.flatMap(({ kind, from, histories }) => seedsOfTurn(from, histories).map(range => ({ kind, ...range }))),
  )(
    'keeps every promise in $histories histories $kind from $first',
    ({ first, histories: count }) => {
      verifies('behaviour.push.epoch-recovers', 'behaviour.push.others-not-blocked', 'behaviour.push.normalised')

      expect(simulator.run({ first, histories: count })).toEqual({ kept: count, failure: '' })
    },
    HOURS,
  )

  testOnRedis.each(seedsOfTurn(1, amount({ deep: 24, night: 400 })))(
    'keeps every promise in $histories histories from $first over Redis',
    ({ first, histories: count }) => {
      expect(simulator.run({ first, histories: count, store: 'redis' })).toEqual({ kept: count, failure: '' })
    },
    HOURS,
  )
})
