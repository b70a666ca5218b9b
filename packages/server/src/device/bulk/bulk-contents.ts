import type { BulkRequest } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { collectionOfRequest } from '../../backend/partitions/resolve-partition.js'
import type { DeviceEngine } from '../device-engine.js'
import { bulkKey } from './bulk-record.js'

/** The collections of a bulk file. */
export interface BulkContents {
  /** Equal for equal collections, so that users share a file. */
  readonly key: string
  readonly parts: readonly { readonly source: Source; readonly collection: CollectionId }[]
}

/** Returns the partitions of a user in these sources, without duplicates. Pass-through sources are left out, and devices pull them. */
export async function bulkContentsOf(
  { sources }: Pick<DeviceEngine, 'sources'>,
  user: string,
  { sources: names, parameters }: Pick<BulkRequest, 'sources' | 'parameters'>,
): Promise<BulkContents> {
  const found = await Promise.all([...new Set(names)].map(name => sources.learn(name, user)))
  const kept = found.filter(({ passThrough }) => !passThrough)
  const parts = kept.map(source => ({ source, collection: collectionOfRequest(source, { user, parameters }) }))
  return { key: bulkKey(parts.map(({ collection }) => collection)), parts }
}
