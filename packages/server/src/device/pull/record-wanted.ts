import type { PartitionPull } from '@godwit/protocol'
import {
  type ClientRecord,
  collectionsOfClient,
  leaveCollection,
  positionIn,
  recordsCollection,
} from '../../accounts/users/client-record.js'
import { announceWanted } from '../../backend/sources/channels.js'
import { byPartition } from '../../backend/sources/partition-of.js'
import type { DeviceEngine } from '../device-engine.js'

/** The partitions of one source that a device pulled. */
export interface WantedPartitions {
  /** The name of the source. */
  readonly source: string
  readonly pulls: readonly PartitionPull[]
  /** True if these are all that the device wants. */
  readonly isWhole: boolean
}

/** Tells event streams of partitions that the client did not pull before, and forgets the positions of those that it left, which hold their floors. */
export async function recordWanted(
  { store }: Pick<DeviceEngine, 'store'>,
  client: ClientRecord,
  { source, pulls, isWhole }: WantedPartitions,
): Promise<void> {
  const wanted = pulls.map(({ parameters }) => ({ source, partition: byPartition(parameters) }))
  const added = wanted.filter(collection => !recordsCollection(client, collection))
  if (added.length > 0) await announceWanted(store, { login: client.user, client: client.id }, added)
  if (!isWhole) return
  const kept = new Set(wanted.map(({ partition }) => partition))
  for (const collection of collectionsOfClient(client)) {
    if (collection.source !== source || kept.has(collection.partition) || !positionIn(client, collection)) continue
    await store.collections.dropReader(collection, client.id)
    await leaveCollection(store, client, collection)
  }
}
