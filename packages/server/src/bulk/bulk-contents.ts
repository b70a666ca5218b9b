import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { collectionOf } from '../sources/partition-of.js'
import type { Source } from '../sources/source.js'
import { bulkKey } from './bulk-record.js'

/** What a file is to hold. */
export interface BulkContents {
  /** The same for everybody who wants the same collections. */
  readonly key: string
  readonly parts: readonly { readonly source: Source; readonly collection: CollectionId }[]
}

/** The partitions of a user in these sources, each once. What passes through is in no file: a device pulls it. */
export async function bulkContentsOf(
  { sources }: Pick<Engine, 'sources'>,
  user: string,
  names: readonly string[],
): Promise<BulkContents> {
  const found = await Promise.all([...new Set(names)].map(name => sources.learn(name, user)))
  const kept = found.filter(({ passThrough }) => !passThrough)
  const parts = kept.map(source => ({ source, collection: collectionOf(source, user) }))
  return { key: bulkKey(parts.map(({ collection }) => collection)), parts }
}
