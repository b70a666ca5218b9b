import { SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { type ClientRecord, clientOf } from '../../accounts/users/client-record.js'
import { collectionOf } from '../../backend/sources/partition-of.js'
import type { AdminEngine } from '../admin-engine.js'

/** A client and a source, as named in API paths. */
export interface ClientCollectionPath {
  readonly client: string
  readonly source: string
}

/** A client, a source, and the collection that the client syncs of it. */
export interface ClientCollection {
  readonly client: ClientRecord
  readonly source: Source
  /** The user's partition, or the shared one. */
  readonly collection: CollectionId
}

/** Returns the collection that a client syncs of a source. Throws `client_not_found` or `source_not_found`. */
export async function resolveClientCollection(
  { store, sources }: Pick<AdminEngine, 'store' | 'sources'>,
  { client: id, source: name }: ClientCollectionPath,
): Promise<ClientCollection> {
  const source = sources.get(name)
  const record = await store.registry.get('client', id)
  if (!record) throw new SyncError('client_not_found', `There is no client ${JSON.stringify(id)}.`)
  const client = clientOf(record)
  return { client, source, collection: collectionOf(source, client.user) }
}
