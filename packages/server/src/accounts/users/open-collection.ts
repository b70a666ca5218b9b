import { SyncError } from '@godwit/protocol'
import type { CollectionId, Head, Store } from '@godwit/store'
import { userPartition } from '../../backend/sources/partition-of.js'
import { findUser } from './user-record.js'

/**
 * Opens a collection for a request of a user. Throws `session_missing` and leaves no collection if another process has deleted the user since the
 * request began.
 */
export async function openCollection(
  { collections, registry }: Pick<Store, 'collections' | 'registry'>,
  login: string,
  collection: CollectionId,
): Promise<Head> {
  const head = await collections.open(collection)
  const isOwn = collection.partition === userPartition(login)
  if (!isOwn || (await findUser(registry, login)) !== undefined) return head
  await collections.drop(collection)
  throw new SyncError('session_missing', 'The user of this session was deleted. Log in with POST /rc/v1/app/login.')
}
