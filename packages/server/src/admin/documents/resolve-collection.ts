import { SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { getUser } from '../../accounts/users/user-record.js'
import { collectionOf } from '../../backend/sources/partition-of.js'
import type { AdminEngine } from '../admin-engine.js'

/** A source and a user, or `*` for its shared partition, as named in API paths. */
export interface CollectionPath {
  readonly source: string
  readonly user: string
}

/** A collection with its source and the login in the path. */
export interface ResolvedCollection {
  readonly source: Source
  readonly user: string
  readonly collection: CollectionId
}

/**
 * Returns the collection of a path. Throws `source_not_found`, `user_not_found`, or `value_not_allowed` for `*` with a source that has no shared
 * partition.
 */
export async function resolveCollection(
  { store, sources }: Pick<AdminEngine, 'store' | 'sources'>,
  { source: name, user }: CollectionPath,
): Promise<ResolvedCollection> {
  const source = sources.get(name)
  if (user !== '*') await getUser(store.registry, user)
  else if (source.partition === 'user') {
    const hint = 'its documents belong to single users. Name one instead of *.'
    throw new SyncError('value_not_allowed', `The source ${name} has the partition type user: ${hint}`)
  }
  return { source, user, collection: collectionOf(source, user) }
}
