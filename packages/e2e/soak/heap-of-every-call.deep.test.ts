import { partOf, redisIsThere } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { runChild } from './run-child.js'

/** Number of calls between two readings of the heap; SOAK_TIMES overrides it. */
const TIMES = Number(process.env['SOAK_TIMES'] ?? 20)
/** Bytes that a call may retain: journals grow until they are compacted, and code is still compiled. */
const LEFT = 1536

const STORES = ['memory', 'SQLite', ...(redisIsThere() ? ['Redis'] : [])]

const growths = (store: string, ...words: readonly string[]) =>
  runChild<Record<string, readonly [bytes: number, most: number]>>('heap-child', [store, TIMES, LEFT, ...words])

test.each(partOf(STORES, STORES.length))(
  'no call leaks memory, over %s',
  async store => {
    const growth = await growths(store)
    expect(Object.entries(growth).filter(([, [bytes, most]]) => bytes > most)).toEqual([])
    expect(Object.keys(growth).length).toBeGreaterThan(10)
  },
  3_600_000,
)

test('a call that leaves 2 KB behind is noticed', async () => {
  const { leaks: [bytes, most] = [0, 0] } = await growths('memory', 'planted')
  expect(bytes).toBeGreaterThan(most)
}, 3_600_000)
