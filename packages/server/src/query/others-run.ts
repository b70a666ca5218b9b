import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { pause } from '../pause.js'
import type { RunEnd } from './run-query.js'

const POLL = 50

/**
 * Runs a query, or waits for the process that runs it. Where that process dies in a collection's first query, the query is tried again, since its
 * callers have no rows yet. An abandoned run is started again. `ended` aborts when no caller waits any more.
 */
export async function runOrWait(
  engine: Engine,
  collection: CollectionId,
  run: () => Promise<RunEnd>,
  ended: AbortSignal = engine.stopping,
): Promise<void> {
  while (!ended.aborted && !engine.stopping.aborted) {
    const end = await run()
    if (end === 'ran') return
    if (end === 'abandoned') continue
    await othersRun(engine, collection, ended)
    const head = await engine.store.collections.head(collection)
    const isUntouched = head !== undefined && head.queriedAt === undefined && head.sourceError === undefined
    if (!isUntouched) return
  }
}

/** Waits until the run of another process is over, however it ends: its lease is what tells. */
export async function othersRun(
  { store, holder, stopping }: Engine,
  collection: CollectionId,
  ended: AbortSignal,
): Promise<void> {
  const name = { kind: 'query', collection } as const
  while (!stopping.aborted && !ended.aborted) {
    const lease = await store.leases.acquire(name, { holder: `${holder} waits`, milliseconds: 1 })
    if (lease !== undefined) return store.leases.release(lease)
    await pause(POLL, ended)
  }
}
