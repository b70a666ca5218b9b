import { redisIsThere, redisUrl } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

const testOnRedis = redisUrl() !== undefined || redisIsThere() ? test : test.skip

testOnRedis(
  'every promise is kept in the histories 1 to 100 over Redis',
  () => {
    const { code, out } = runHistories(['--first', '1', '--histories', '100', '--store', 'redis'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('100 histories') })
  },
  600_000,
)
