import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { createSyncServer } from '../start/create-sync-server.js'
import { limitsOf } from './check-limits.js'
import { DEFAULT_LIMITS } from './limits.js'

test('omitted limits have valid defaults', () => {
  expect(limitsOf(DEFAULT_LIMITS)).toEqual(DEFAULT_LIMITS)
  expect(limitsOf({ sessionLife: undefined as never, tokenLife: 60 })).toEqual({
    ...DEFAULT_LIMITS,
    tokenLife: 60,
  })
})

test.each<[object, string]>([
  [{ sesionLife: 5 }, 'limits: expected one of sessionLife, tokenLife, '],
  [{ __proto__: null, constructor: 5 }, ', got "constructor".'],
  [{ tokenLife: 'x' }, 'limits.tokenLife: expected a number of seconds from 0 to 3153600000, got "x".'],
  [{ sessionLife: Number.POSITIVE_INFINITY }, 'got Infinity.'],
  [{ sessionLife: 1e10 }, 'got 10000000000.'],
  [{ pushWait: Number.NaN }, 'limits.pushWait: expected a number of seconds from 0 to 2147483, got NaN.'],
  [{ sweepInterval: 0 }, 'but not 0, got 0.'],
  [{ passwordCost: 1000 }, 'a power of two'],
  [{ drainConcurrency: 0 }, 'a whole number from 1, got 0.'],
  [{ tokenSliding: null }, 'true or false, got null.'],
])('%j is refused when a server is made', (limits, message) => {
  const make = () => createSyncServer({ store: openMemoryStore(), sources: [], limits })
  expect(make).toThrow(expect.objectContaining({ code: 'value_not_allowed' }))
  expect(make).toThrow(message)
})

test('the longest session ends at a time of 13 digits', () => {
  const longest = limitsOf({ sessionLife: 100 * 365 * 24 * 3600 }).sessionLife
  expect(String(Date.now() + longest * 1000)).toHaveLength(13)
})
