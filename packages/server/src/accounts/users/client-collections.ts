import type { CollectionId } from '@godwit/store'
import { collectionOf } from '../../backend/sources/partition-of.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { type ClientRecord, collectionsOfClient } from './client-record.js'

/** Returns the collection of each source for the client's user; of a source with `by`, the partitions that have data of the client. */
export function collectionsOf(
  { sources }: Pick<AccountsEngine, 'sources'>,
  client: ClientRecord,
): readonly CollectionId[] {
  const recorded = collectionsOfClient(client)
  return sources
    .all()
    .flatMap(source =>
      source.by === undefined
        ? [collectionOf(source, client.user)]
        : recorded.filter(collection => collection.source === source.name),
    )
}
