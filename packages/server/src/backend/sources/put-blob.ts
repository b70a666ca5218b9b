import { createHash } from 'node:crypto'
import { SyncError } from '@godwit/protocol'
import { type BlobContent, type CollectionId, type Store, writeBlob } from '@godwit/store'
import { appendBytes, blobBytes } from '../../base/blob-bytes.js'
import { blobScope } from '../../base/blob-scopes.js'
import type { BackendEngine } from '../backend-engine.js'

type PutEngine = Pick<BackendEngine, 'store' | 'randomId' | 'limits'>
type BlobBody = Uint8Array | AsyncIterable<Uint8Array>

/** Stores a blob from a backend and returns its SHA-256. A stream is staged until its hash is known. */
export async function putBlob(engine: PutEngine, collection: CollectionId, content: BlobBody): Promise<string> {
  const scope = blobScope(collection)
  if (content instanceof Uint8Array) {
    const name = createHash('sha256').update(content).digest('hex')
    const read = (offset: number) => [content.subarray(offset)]
    return keep(engine, { blob: { scope, name }, size: content.length, read })
  }
  const staged = JSON.stringify(['staged', engine.randomId()])
  try {
    const { sizes, name } = await stage(engine, staged, content)
    const size = sizes.reduce((sum, one) => sum + one, 0)
    const read = (offset: number) => stagedBytes(engine.store, staged, { sizes, offset })
    return await keep(engine, { blob: { scope, name }, size, read })
  } finally {
    await engine.store.blobs.removeScope(staged)
  }
}

/** Stores the blob without charging a user, even if a device sent it before. */
async function keep({ store: { blobs } }: PutEngine, content: BlobContent): Promise<string> {
  await writeBlob(blobs, content)
  await blobs.charge(content.blob, undefined)
  return content.blob.name
}

/** Stores each part as a separate blob, since the total size is known only at the end. */
async function stage({ store, limits }: PutEngine, scope: string, content: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  const sizes: number[] = []
  let size = 0
  for await (const bytes of content) {
    hash.update(bytes)
    size += bytes.length
    if (size > limits.blobBytes)
      throw new SyncError('body_too_large', `expected a blob of at most ${limits.blobBytes} bytes, got more.`)
    await appendBytes(store, { scope, name: String(sizes.length) }, { size: bytes.length, offset: 0, bytes })
    sizes.push(bytes.length)
  }
  return { sizes, name: hash.digest('hex') }
}

/** Reads the staged content from `offset` on. */
async function* stagedBytes(
  store: Store,
  scope: string,
  { sizes, offset }: { readonly sizes: readonly number[]; readonly offset: number },
): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const [index, size] of sizes.entries()) {
    const from = Math.max(0, offset - start)
    if (from < size) yield* blobBytes(store, { scope, name: String(index) }, from, size)
    start += size
  }
}
