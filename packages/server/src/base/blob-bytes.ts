import { SyncError } from '@godwit/protocol'
import { type BlobName, MAX_BLOB_PART, type Store } from '@godwit/store'

type BlobStore = Pick<Store, 'blobs'>

/** Reads the bytes of a blob from `start` up to `end`, with one part in memory at a time. Throws if the blob is removed meanwhile. */
export async function* blobBytes(
  { blobs }: BlobStore,
  blob: BlobName,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const bytes = await blobs.read(blob, { offset: at, length: Math.min(MAX_BLOB_PART, end - at) })
    if (bytes.length === 0) throw new SyncError('file_not_found', 'The blob was removed during the read. Sync again.')
    at += bytes.length
    yield bytes
  }
}

/** Appends bytes at `offset` to a blob that has no other writer. Returns its new end. */
export async function appendBytes(
  { blobs }: BlobStore,
  blob: BlobName,
  { size, offset, bytes }: { readonly size: number; readonly offset: number; readonly bytes: Uint8Array },
): Promise<number> {
  let at = 0
  do {
    const part = bytes.subarray(at, at + MAX_BLOB_PART)
    await blobs.append(blob, { size, offset: offset + at, bytes: part })
    at += part.length
  } while (at < bytes.length)
  return offset + at
}
