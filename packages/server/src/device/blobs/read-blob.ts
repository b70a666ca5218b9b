import { type Attributes, type PartitionParameters, SyncError } from '@godwit/protocol'
import type { AccessEngine } from '../../backend/partitions/access.js'
import { resolvePartition } from '../../backend/partitions/resolve-partition.js'
import { blobBytes } from '../../base/blob-bytes.js'
import { blobScope } from '../../base/blob-scopes.js'
import { Download } from '../../base/text-reply.js'
import type { DeviceEngine } from '../device-engine.js'
import { isFoundBlob } from './found-blobs.js'

/** A download of a blob that an object names. */
export interface BlobRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly hash: string
  /** The id of the object that names the blob. */
  readonly object: string
  readonly parameters?: PartitionParameters | undefined
}

/**
 * Reads a blob that an object of the caller's partition names, or that a recent search of the caller found. Any other blob is answered
 * as missing, so that a hash does not reveal what other users have.
 */
export async function readBlob(
  engine: AccessEngine & Pick<DeviceEngine, 'sources'>,
  { source, user, hash, object, parameters }: BlobRequest,
): Promise<Download> {
  const { store, sources } = engine
  const collection = await resolvePartition(engine, await sources.learn(source, user), { user, parameters })
  const blob = { scope: blobScope(collection), name: hash }
  const [present, facts] = await Promise.all([store.collections.look(collection, object), store.blobs.find(blob)])
  const isOwn = present.state === 'live' && isNamed(present.attributes, hash)
  if (facts?.complete && (isOwn || (await isFoundBlob({ store }, blob, { user, object }))))
    return new Download({
      size: facts.size,
      hash,
      read: (start, end) => blobBytes({ blobs: store.blobs }, blob, start, end),
    })
  throw new SyncError(
    'file_not_found',
    `The object ${JSON.stringify(object.slice(0, 80))} of ${source} names no complete blob ${hash.slice(0, 80)}: pull, then request it again.`,
  )
}

const isNamed = (attributes: Attributes, hash: string): boolean => Object.values(attributes).includes(hash)
