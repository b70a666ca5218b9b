import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'

const POLL = 50

/**
 * Runs a query, or waits for the process that is at it. One that died at a collection's first query leaves it undone: then it is tried again, for
 * whoever waits has nothing yet. `run` says false where another process is at it.
 */
export async function runOrWait(engine: Engine, collection: CollectionId, run: () => Promise<boolean>): Promise<void> {
  while (!(await run())) {
    await othersRun(engine, collection)
    const head = await engine.store.collections.head(collection)
    const isUntouched = head !== undefined && head.queriedAt === undefined && head.sourceError === undefined
    if (!isUntouched || engine.stopping.aborted) return
  }
}

/** Waits until the run of another process is over, however it ends: its lease is what tells. */
export async function othersRun({ store, holder, stopping }: Engine, collection: CollectionId): Promise<void> {
  const name = { kind: 'query', collection } as const
  while (!stopping.aborted) {
    const lease = await store.leases.acquire(name, { holder: `${holder} waits`, milliseconds: 1 })
    if (lease !== undefined) return store.leases.release(lease)
    await new Promise(resolve => setTimeout(resolve, POLL).unref())
  }
}
