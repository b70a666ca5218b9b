import type { UndecidedCursor } from '@godwit/store'
import type { Engine } from '../engine.js'
import { queryIfDue } from './query-if-due.js'

const PAGE = 200

/**
 * Runs the first queries that journals wait for. Nothing is drained before a collection was queried, and the device whose pull would ask may
 * never come back.
 */
export async function queryAwaited(engine: Engine): Promise<void> {
  const { journal } = engine.store
  for (let after: UndecidedCursor | undefined; !engine.stopping.aborted; ) {
    const page = await journal.undecided({ state: 'queued', after, limit: PAGE })
    const awaited = new Map(page.map(entry => [JSON.stringify(Object.values(entry.collection)), entry]))
    for (const { collection, user } of awaited.values()) {
      const source = engine.sources.find(collection.source)
      const head = source && (await engine.store.collections.head(collection))
      const run = { collection, user, parameters: {} }
      if (head && head.queriedAt === undefined) await queryIfDue(engine, { source, ...run }, head)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { collection: last.collection, sequence: last.sequence }
  }
}
