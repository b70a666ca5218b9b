import { SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId, JournalEntry, Lease } from '@godwit/store'
import { collectionPagesOf } from '../../backend/sources/collections-of.js'
import { pause } from '../../base/pause.js'
import type { AdminEngine } from '../admin-engine.js'

/** Milliseconds for which one retry blocks others of its source; it usually takes a few. */
const LEASE = 10_000
/** Milliseconds between two attempts to get the lease. */
const POLL = 20

type RetryEngine = Pick<AdminEngine, 'store' | 'holder' | 'stopping'>

/**
 * Queues a mutation in doubt again. Throws `value_not_allowed` if another partition of the source has a mutation with its key that was applied or may
 * still run, as after the user changed partitions.
 */
export async function retryOnce(
  engine: RetryEngine,
  source: Source | undefined,
  entry: JournalEntry,
): Promise<boolean> {
  const { journal, leases } = engine.store
  const { collection, mutation } = entry
  const release = async (): Promise<boolean> => (await journal.retry(collection, mutation.key)) === 'released'
  if (source?.methods.partitionName === undefined || source.idempotent) return release()
  const lease = await leaseOf(engine, entry)
  try {
    await checkOtherPartitions(engine, entry)
    return await release()
  } finally {
    await leases.release(lease)
  }
}

/** Acquires the lease that serialises retries of a source: two concurrent ones would each see the other's mutation in doubt. */
async function leaseOf(
  { store: { leases }, holder, stopping }: RetryEngine,
  { collection: { source, partition }, mutation: { key } }: JournalEntry,
): Promise<Lease> {
  const name = { kind: 'server', name: `retry ${source}` } as const
  const options = { holder: `${holder} ${JSON.stringify([partition, key])}`, milliseconds: LEASE }
  for (;;) {
    const lease = await leases.acquire(name, options)
    if (lease) return lease
    if (stopping.aborted) throw new SyncError('store_unavailable', 'The server is stopping; nothing was changed.')
    await pause(POLL, stopping)
  }
}

async function checkOtherPartitions({ store }: RetryEngine, { collection, mutation }: JournalEntry): Promise<void> {
  const duplicateIn = async (other: CollectionId): Promise<JournalEntry | undefined> =>
    other.partition === collection.partition ? undefined : (await store.journal.entries(other, [mutation.key]))[0]
  for await (const page of collectionPagesOf(store, collection.source)) {
    const duplicate = (await Promise.all(page.map(duplicateIn))).find(entry => entry && isCallable(entry))
    if (duplicate) throw runsElsewhereError(duplicate)
  }
}

/** True if the backend may still be called for the mutation, or has applied it. */
const isCallable = ({ state, outcome }: JournalEntry): boolean =>
  state === 'queued' || state === 'started' || (state === 'decided' && outcome?.status === 'applied')

function runsElsewhereError({ state, collection: { partition } }: JournalEntry): SyncError {
  const found = state === 'decided' ? 'applied' : state
  const message = `expected a mutation that no other partition runs, got one that is ${found} in ${JSON.stringify(partition)}. Settle or discard this one instead. Nothing was changed.`
  return new SyncError('value_not_allowed', message)
}
