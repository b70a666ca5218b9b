import { type BlobUpload, type BlobUploaded, type PartitionParameters, SyncError } from '@godwit/protocol'
import { type BlobFacts, type BlobName, completeIfValid } from '@godwit/store'
import type { AccessEngine } from '../../backend/partitions/access.js'
import { resolvePartition } from '../../backend/partitions/resolve-partition.js'
import { refuseBlob } from '../../backend/pass-through/refuse-content.js'
import { blobScope } from '../../base/blob-scopes.js'
import type { DeviceEngine } from '../device-engine.js'
import { blobQuotaExceeded, limitedCharge } from './blob-quota.js'

type UploadEngine = AccessEngine & Pick<DeviceEngine, 'sources' | 'metrics'>

/** A part of a blob, sent by a device. */
export interface Upload extends Omit<BlobUpload, 'parameters'> {
  readonly parameters?: PartitionParameters | undefined
  readonly source: string
  /** The login. */
  readonly user: string
  readonly bytes: Uint8Array
}

/**
 * Appends a part at the end of the stored blob, and checks the hash after the last part. Blobs belong to a partition and are not shared, since
 * knowing a hash must not give access to the content.
 */
export async function uploadBlob(engine: UploadEngine, upload: Upload): Promise<BlobUploaded> {
  const { hash, size, offset, bytes } = upload
  checkSize(engine, upload)
  const source = await engine.sources.learn(upload.source, upload.user)
  refuseBlob(source)
  const blob = { scope: blobScope(await resolvePartition(engine, source, upload)), name: hash }
  const known = await findUpload(engine, blob, size)
  if (known?.complete) return { hash, size, received: size, complete: true }
  const charge = limitedCharge(engine, upload.user, size)
  const facts = await engine.store.blobs.append(blob, { size, offset, bytes }, charge)
  if (facts === undefined && offset === 0) throw blobQuotaExceeded(engine)
  if (facts === undefined || facts.received < size)
    return { hash, size, received: facts?.received ?? 0, complete: false }
  await checkHash(engine, blob, facts)
  return { hash, size, received: size, complete: true }
}

function checkSize({ limits }: UploadEngine, { size, offset, bytes }: Upload): void {
  if (size > limits.blobBytes)
    throw new SyncError('body_too_large', `expected a blob of at most ${limits.blobBytes} bytes, got one of ${size}.`)
  if (offset + bytes.length > size)
    throw new SyncError(
      'body_invalid',
      `expected bytes of a blob of ${size}, got ${bytes.length} at ${offset}, beyond its end.`,
    )
}

/** Touches the stored blob and returns its facts. An unfinished blob with another announced size is removed. */
async function findUpload({ store }: UploadEngine, blob: BlobName, size: number): Promise<BlobFacts | undefined> {
  await store.blobs.touch(blob)
  const known = await store.blobs.find(blob)
  if (known === undefined || known.complete || known.size === size) return known
  await store.blobs.remove(blob, { instance: known.instance })
  return undefined
}

async function checkHash({ store }: UploadEngine, blob: BlobName, facts: BlobFacts): Promise<void> {
  if (facts.complete || (await completeIfValid(store.blobs, blob, facts))) return
  throw new SyncError(
    'body_invalid',
    `expected a blob with the SHA-256 ${blob.name}, got one with another. It was dropped: send it again.`,
  )
}
