import { SyncError } from '@godwit/protocol'
import { collectionOf } from '../../backend/sources/partition-of.js'
import { blobBytes } from '../../base/blob-bytes.js'
import { bulkScope } from '../../base/blob-scopes.js'
import { Download } from '../../base/text-reply.js'
import type { DeviceEngine } from '../device-engine.js'
import { getBulk } from './bulk-record.js'

/** A download of a bulk file, or of one of its parts. */
export interface BulkFileRequest {
  /** The login. */
  readonly user: string
  readonly key: string
  readonly hash: string
}

/** Opens a bulk file whose parts all belong to the caller's partitions and are still current; otherwise it is not found. */
export async function readBulk(
  { store, sources }: Pick<DeviceEngine, 'store' | 'sources'>,
  { user, key, hash }: BulkFileRequest,
): Promise<Download> {
  const blob = { scope: bulkScope(key), name: hash }
  const [bulk, facts] = await Promise.all([getBulk(store, key), store.blobs.find(blob)])
  const isOwn = bulk?.parts.every(({ source, partition }) => {
    const found = sources.find(source)
    return found !== undefined && collectionOf(found, user).partition === partition
  })
  const heads = await Promise.all((bulk?.parts ?? []).map(part => store.collections.head(part)))
  const isWhole = bulk?.parts.every(({ epoch }, index) => heads[index]?.epoch === epoch)
  if (isOwn && isWhole && facts?.complete)
    return new Download({
      size: facts.size,
      hash,
      type: 'application/gzip',
      read: (start, end) => blobBytes(store, blob, start, end),
    })
  throw new SyncError('file_not_found', 'There is no such bulk file. Ask for another with POST /rc/v1/app/bulk_data.')
}
