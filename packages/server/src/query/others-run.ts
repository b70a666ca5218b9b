import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { pause } from '../pause.js'
import type { RunEnd } from './run-query.js'

const POLL = 50

/**
 * Runs a query, or waits for the process that is at it. One that died at a collection's first query leaves it undone: then it is tried again, for
 * whoever waits has nothing yet. A run that was abandoned served nobody but its caller, so that it is begun again. `ended`: nobody waits any more.
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
