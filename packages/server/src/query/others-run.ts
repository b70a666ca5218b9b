import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'

const POLL = 50

/** Waits until the run of another process is over, however it ends: its lease is what tells. */
export async function othersRun({ store, holder, stopping }: Engine, collection: CollectionId): Promise<void> {
  const name = { kind: 'query', collection } as const
  while (!stopping.aborted) {
    const lease = await store.leases.acquire(name, { holder: `${holder} waits`, milliseconds: 1 })
    if (lease !== undefined) return store.leases.release(lease)
    await new Promise(resolve => setTimeout(resolve, POLL).unref())
  }
}
