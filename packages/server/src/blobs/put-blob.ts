import { createHash } from 'node:crypto'
import { SyncError } from '@godwit/protocol'
import type { CollectionId, Store } from '@godwit/store'
import type { Engine } from '../engine.js'
import { appendBytes, blobBytes } from './blob-bytes.js'
import { blobScope } from './scope.js'

type PutEngine = Pick<Engine, 'store' | 'randomId' | 'limits'>
type Content = Uint8Array | AsyncIterable<Uint8Array>

/** Keeps a blob that a backend gives, under its SHA-256. What streams in is staged until its hash is known. */
export async function putBlob(engine: PutEngine, collection: CollectionId, content: Content): Promise<string> {
  const scope = blobScope(collection)
  if (content instanceof Uint8Array) {
    const name = createHash('sha256').update(content).digest('hex')
    return keep(engine.store, { scope, name, size: content.length }, [content])
  }
  const staged = JSON.stringify(['staged', engine.randomId()])
  try {
    const { sizes, name } = await stage(engine, staged, content)
    const size = sizes.reduce((sum, one) => sum + one, 0)
    return await keep(engine.store, { scope, name, size }, stagedBytes(engine.store, staged, sizes))
  } finally {
    await engine.store.blobs.removeScope(staged)
  }
}

/** Each part is a blob of its own meanwhile: the size of the whole is known at the end only. */
async function stage({ store, limits }: PutEngine, scope: string, content: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  const sizes: number[] = []
  let size = 0
  for await (const bytes of content) {
    hash.update(bytes)
    size += bytes.length
    if (size > limits.blobBytes)
      throw new SyncError('body_too_large', `A blob has at most ${limits.blobBytes} bytes here; the source gives more.`)
    await appendBytes(store, { scope, name: String(sizes.length) }, { size: bytes.length, offset: 0, bytes })
    sizes.push(bytes.length)
  }
  return { sizes, name: hash.digest('hex') }
}

async function* stagedBytes(store: Store, scope: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [index, size] of sizes.entries()) yield* blobBytes(store, { scope, name: String(index) }, 0, size)
}

interface Kept {
  readonly scope: string
  readonly name: string
  readonly size: number
}

async function keep(
  store: Pick<Store, 'blobs'>,
  { scope, name, size }: Kept,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<string> {
  const blob = { scope, name }
  await store.blobs.touch(blob)
  if ((await store.blobs.find(blob))?.complete) return name
  await store.blobs.remove(blob)
  let offset = 0
  for await (const bytes of content) offset = await appendBytes(store, blob, { size, offset, bytes })
  if (size === 0) await store.blobs.append(blob, { size, offset, bytes: new Uint8Array() })
  if (await store.blobs.complete(blob)) return name
  throw new SyncError('store_unavailable', `The blob ${name} could not be kept whole. Try again.`)
}
