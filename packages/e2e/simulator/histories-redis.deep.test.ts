import { redisIsThere, redisUrl } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

const testOnRedis = redisUrl() !== undefined || redisIsThere() ? test : test.skip

testOnRedis(
  'every promise is kept in the histories 1 to 60 over Redis',
  () => {
    expect(runHistories({ first: 1, histories: 60, store: 'redis' })).toEqual({ kept: 60, failure: '' })
  },
  600_000,
)
