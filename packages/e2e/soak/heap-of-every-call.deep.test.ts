import { redisIsThere } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { runChild } from './run-child.js'

/** Calls between two readings of the heap; SOAK_TIMES for longer. */
const TIMES = Number(process.env['SOAK_TIMES'] ?? 20)
/** Bytes that a call may leave: the memory store keeps a mark of each batch until it compacts. */
const LEFT = 1024

const STORES = ['memory', 'SQLite', ...(redisIsThere() ? ['Redis'] : [])]

const growths = (store: string, ...words: readonly string[]) =>
  runChild<Record<string, number>>('heap-child', [store, TIMES, LEFT, ...words])

test.each(STORES)(
  'no call leaks memory, over %s',
  async store => {
    const growth = await growths(store)
    expect(Object.entries(growth).filter(([, bytes]) => bytes > LEFT)).toEqual([])
    expect(Object.keys(growth).length).toBeGreaterThan(10)
  },
  3_600_000,
)

test('a call that leaves 2 KB behind is noticed', async () => {
  const { leaks = 0 } = await growths('memory', 'planted')
  expect(leaks).toBeGreaterThan(LEFT)
}, 3_600_000)
