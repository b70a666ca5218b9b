import { redisIsThere } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { runChild } from './run-child.js'

/** How often each call is made; SOAK_TIMES for longer. */
const TIMES = Number(process.env['SOAK_TIMES'] ?? 40)
/** Bytes of one measurement that are chance, and bytes that a call may leave: the memory store keeps a mark of each batch until it compacts. */
const CHANCE = 400 * 1024
const LEFT = 300

const STORES = ['memory', 'SQLite', ...(redisIsThere() ? ['Redis'] : [])]

test.each(STORES)(
  'no call leaves anything behind in the heap, over %s',
  async store => {
    const growth = await runChild<Record<string, number>>('heap-child', [store, TIMES])
    const most = CHANCE / TIMES + LEFT
    expect(Object.entries(growth).filter(([, bytes]) => bytes > most)).toEqual([])
    expect(Object.keys(growth).length).toBeGreaterThan(10)
  },
  3_600_000,
)
