import { amount, redisIsThere, turn } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { fuzz } from './fuzz.js'

const REQUESTS = amount({ deep: 800, night: 100_000 })
const STORES = ['memory', 'sqlite', ...(redisIsThere() ? (['redis'] as const) : [])] as const

if (!redisIsThere()) test.skip('random requests over redis need a redis-server', () => undefined)

test.each(STORES)(
  'random requests are answered as the OpenAPI document says, and the store is intact, over %s',
  async store => {
    const { faults, logged, statuses, succeeded } = await fuzz({ seed: turn, requests: REQUESTS, store })
    expect(faults).toEqual([])
    expect(logged).toEqual([])
    // It reaches what it should: most operations, and every kind of answer.
    expect(succeeded.size).toBeGreaterThan(40)
    expect(Object.keys(statuses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '404', '409', '415', '422']),
    )
  },
  3_600_000,
)
