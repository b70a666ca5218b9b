import { redisIsThere } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { type OpenedStore, openStore, type StoreName } from './open-store.js'
import { REMOVALS } from './rounds.js'
import { openSoakWorld, type SoakWorld } from './soak-world.js'

const STORES: readonly StoreName[] = ['SQLite', ...(redisIsThere() ? (['Redis'] as const) : [])]
/** Number of rounds between two counts. */
const TIMES = 40
/** Difference in rows allowed between two counts, such as sessions, leases and statistics. */
const FEW = 10
/** Tables that keep rows by design: the audit entry of each removal, and used client ids. */
const PROMISED = /audit|^client$|:clients?$|point|series/

let opened: OpenedStore
let world: SoakWorld
afterEach(async () => {
  await world.close()
  await opened.close()
})

const CELLS = STORES.flatMap(store => Object.keys(REMOVALS).map(name => [name, store] as const))

test.each(CELLS)(
  '%s leave nothing behind, over %s',
  async (name, store) => {
    opened = await openStore(store)
    world = await openSoakWorld(opened)
    const round = await REMOVALS[name]?.(world)
    let time = 0
    const after = async () => {
      for (let n = 0; n < TIMES; n++) await round?.(time++)
      return opened.counts()
    }
    const before = await after()
    const now = await after()
    const grown = [...now].filter(([key, count]) => count > (before.get(key) ?? 0))
    const reported = grown.filter(([key]) => !PROMISED.test(key))
    const more = reported.reduce((total, [key, count]) => total + count - (before.get(key) ?? 0), 0)
    expect(more <= FEW ? [] : reported).toEqual([])
  },
  600_000,
)
