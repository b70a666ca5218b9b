import type { PartitionState, PendingRemovals as RemovalsState } from '@godwit/protocol'
import type { Head, PendingRemovals } from '@godwit/store'
import type { AdminEngine } from '../admin-engine.js'
import { type CollectionPath, resolveCollection } from '../documents/resolve-collection.js'
import { versionTime } from '../documents/version-time.js'

/** Returns the state of a user's copy of a source. It only reads: a copy that does not exist is not created. */
export async function partitionState(
  engine: Pick<AdminEngine, 'store' | 'sources' | 'clock'>,
  name: CollectionPath,
): Promise<PartitionState> {
  const { collection } = await resolveCollection(engine, name)
  const { collections } = engine.store
  const head = await collections.head(collection)
  const changed = head && (await versionTime(collections, collection, { version: head.version, now: engine.clock() }))
  return {
    partition: collection.partition,
    version: head?.version ?? 0,
    changed_at: timeOf(changed),
    count: head?.count ?? 0,
    queried_at: timeOf(head?.queriedAt),
    next_query: timeOf(head?.nextQuery),
    query_requested: head !== undefined && head.queriesRequested > head.queriesServed,
    error: head?.sourceError ?? null,
    pending_removals: removalsOf(head),
  }
}

function removalsOf(head: Head | undefined): PartitionState['pending_removals'] {
  if (head?.pendingRemovals === undefined) return null
  return removalsState(head.pendingRemovals, head.acceptedRemovals !== undefined)
}

/** Describes removals that are held back. */
export const removalsState = ({ count, since, confirmAt }: PendingRemovals, accepted: boolean): RemovalsState => ({
  count,
  since: new Date(since).toISOString(),
  confirm_at: timeOf(confirmAt),
  accepted,
})

/** Returns null for no time and for the latest possible date, which means never. */
const timeOf = (time: number | undefined): string | null =>
  time === undefined || time >= 8_640_000_000_000_000 ? null : new Date(time).toISOString()
