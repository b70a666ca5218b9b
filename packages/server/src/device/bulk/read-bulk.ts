import { SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { type AccessEngine, isAllowed } from '../../backend/partitions/access.js'
import { findCollection, parametersOfPartition } from '../../backend/sources/partition-of.js'
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

async function isVisible(
  engine: BulkReadEngine,
  user: string,
  { source: name, partition }: CollectionId,
): Promise<boolean> {
  const source = engine.sources.find(name)
  if (source === undefined) return false
  const parameters = parametersOfPartition(partition)
  if (parameters !== undefined) return isAllowed(engine, source, { user, parameters })
  return findCollection(source, user)?.partition === partition
}

type BulkReadEngine = AccessEngine & Pick<DeviceEngine, 'sources'>

/** Opens a bulk file whose parts all belong to the caller's partitions and are still current; otherwise it is not found. */
export async function readBulk(engine: BulkReadEngine, { user, key, hash }: BulkFileRequest): Promise<Download> {
  const { store } = engine
  const blob = { scope: bulkScope(key), name: hash }
  const [bulk, facts] = await Promise.all([getBulk(store, key), store.blobs.find(blob)])
  const own = await Promise.all((bulk?.parts ?? []).map(part => isVisible(engine, user, part)))
  const isOwn = !own.includes(false)
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
