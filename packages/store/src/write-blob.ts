import { createHash } from 'node:crypto'
import { SyncError } from '@godwit/protocol'
import { type BlobFacts, type BlobName, type Blobs, MAX_BLOB_PART } from './blobs.js'

/** Content to store as a blob under its SHA-256. */
export interface BlobContent {
  /** The name is the SHA-256 of the content in hexadecimal. */
  readonly blob: BlobName
  readonly size: number
  /** Reads the bytes from `offset` on, in parts of any size. Called again if another writer interferes. */
  readonly read: (offset: number) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** The maximum number of attempts. A retry is needed only if another writer stores different bytes under the same name, or removes the blob. */
const ATTEMPTS = 10

/**
 * Stores content under its SHA-256. Concurrent writers of the same content continue where the blob ends, and never remove a completed blob; throws
 * `store_unavailable` if it does not succeed.
 */
export async function writeBlob(blobs: Blobs, content: BlobContent): Promise<void> {
  const { blob, size } = content
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await blobs.touch(blob)
    const known = await blobs.find(blob)
    const facts = known === undefined || known.size === size ? await fill(blobs, content, known) : known
    if (facts === undefined) continue
    if (facts.complete || (await completeIfValid(blobs, blob, facts))) return
  }
  throw new SyncError('store_unavailable', `The blob ${blob.name} could not be kept whole. Try again.`)
}

/** Appends missing bytes. Returns the resulting state, or undefined if the blob was removed or replaced meanwhile. */
async function fill(
  blobs: Blobs,
  { blob, size, read }: BlobContent,
  known: BlobFacts | undefined,
): Promise<BlobFacts | undefined> {
  let facts = known
  while (facts === undefined || (!facts.complete && facts.received < size)) {
    const { at, instance } = { at: facts?.received ?? 0, instance: facts?.instance }
    facts = await append(blobs, blob, { size, at, read })
    const isOther =
      facts === undefined || facts.size !== size || (instance !== undefined && facts.instance !== instance)
    if (isOther) return undefined
    if (size === 0) break
  }
  return facts
}

/** Appends parts until the content ends or another writer interferes. */
async function append(
  blobs: Blobs,
  blob: BlobName,
  { size, at, read }: { readonly size: number; readonly at: number; readonly read: BlobContent['read'] },
): Promise<BlobFacts | undefined> {
  let offset = at
  let facts = size === 0 ? await blobs.append(blob, { size, offset: 0, bytes: new Uint8Array() }) : undefined
  for await (const bytes of read(at)) {
    for (let from = 0; from < bytes.length; from += MAX_BLOB_PART) {
      const part = bytes.subarray(from, from + MAX_BLOB_PART)
      facts = await blobs.append(blob, { size, offset, bytes: part })
      offset += part.length
      if (facts?.received !== offset || facts.complete) return facts
    }
  }
  return facts
}

/** Completes a blob whose bytes match its name, otherwise removes it. Returns false if the upload must start again. */
export async function completeIfValid(blobs: Blobs, blob: BlobName, facts: BlobFacts): Promise<boolean> {
  const { instance, received, size } = facts
  const isValid = received === size && (await sha256Of(blobs, blob, size)) === blob.name
  if (isValid && (await blobs.complete(blob, instance))) return true
  if (!isValid && !(await blobs.find(blob))?.complete) await blobs.remove(blob, { instance })
  return (await blobs.find(blob))?.complete === true
}

async function sha256Of(blobs: Blobs, blob: BlobName, size: number): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < size; ) {
    const bytes = await blobs.read(blob, { offset: at, length: Math.min(MAX_BLOB_PART, size - at) })
    if (bytes.length === 0) break
    at += bytes.length
    hash.update(bytes)
  }
  return hash.digest('hex')
}
