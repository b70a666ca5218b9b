import { defineSource, type Feed, type FeedBatch } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import type { ConsoleOptions } from './world.js'

const HOUR = 3_600_000

/** A feed that proves every second that it is alive. */
const shop: Feed = {
  name: 'shop',
  async *open({ signal }): AsyncGenerator<FeedBatch> {
    const changes = [{ source: 'Invoice', user: 'user0001', id: '7', attributes: { product: 'Lamp' } }]
    for (let at = 1; !signal.aborted; at++) {
      const waiting = { rows: 12, bytes: 24_576 }
      yield { cursor: `{"n":${at},"mark":"5f0e"}`, changes, heartbeat: true, committedAt: Date.now() - 120, waiting }
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  },
}

export const WAREHOUSE_ERROR = 'connect ECONNREFUSED 10.0.0.7:5432'

/** A feed whose database cannot be reached. */
const warehouse: Feed = {
  name: 'warehouse',
  open: () => {
    throw new Error(WAREHOUSE_ERROR)
  },
}

/** A feed that is up to date, and one that is silent since two hours. */
export async function feedsOfConsole(): Promise<Pick<ConsoleOptions, 'store' | 'sources'>> {
  const store = openMemoryStore()
  const before = Date.now() - 2 * HOUR
  const value = { startedAt: before - HOUR, heartbeatAt: before, appliedAt: before, 'cursor:1': '{"n":40,"mark":"c3"}' }
  await store.registry.create('server', { id: 'feed:warehouse', value })
  const sourcesOf = (feed: Feed, ...names: readonly string[]) =>
    names.map(name => defineSource<object>({ name, feed, query: () => ({}) }))
  return { store, sources: [...sourcesOf(shop, 'Invoice', 'Payment'), ...sourcesOf(warehouse, 'Stock')] }
}
