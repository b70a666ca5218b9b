import { partOf, redisIsThere } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { runChild } from './run-child.js'

/** Number of streamed objects, of about 250 bytes each. SOAK_OBJECTS overrides it, such as 2000000. */
const OBJECTS = Number(process.env['SOAK_OBJECTS'] ?? 100_000)
/** Bytes retained per object while its stream runs: a hash of its id and its text. */
const KNOWN = 64
const CHANCE = 3 * 1024 * 1024

/** Stores, with the first stream that is measured: the memory store keeps the objects in the heap, so that its first one grows it. */
const STORES = [['memory', 1] as const, ['SQLite', 0] as const, ...(redisIsThere() ? [['Redis', 0] as const] : [])]

test.each(partOf(STORES, STORES.length))(
  'a streamed query keeps none of its parts in memory, over %s',
  async (store, first) => {
    const { total, samples } = await runChild<{ total: number; samples: number[][] }>('stream-child', [store, OBJECTS])
    expect(total).toBe(OBJECTS)
    const growths = samples.slice(first).map(heaps => Math.max(...heaps) - (heaps[0] ?? 0))
    expect(growths.filter(bytes => bytes > CHANCE + OBJECTS * KNOWN)).toEqual([])
    expect(growths).toHaveLength(2 - first)
  },
  3_600_000,
)
