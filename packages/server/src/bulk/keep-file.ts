import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { SyncError } from '@godwit/protocol'
import { MAX_BLOB_PART } from '@godwit/store'
import { appendBytes } from '../blobs/blob-bytes.js'
import { bulkScope } from '../blobs/scope.js'
import type { Engine } from '../engine.js'

/** A file as it is sent. */
export interface KeptFile {
  /** SHA-256. */
  readonly hash: string
  readonly size: number
}

// Compressed once, sent many times, and devices wait for the first.
const LEVEL = constants.Z_BEST_SPEED + 2

/** Compresses a file and keeps it where every process of the server finds it, under its hash. */
export async function keepFile(
  { store }: Pick<Engine, 'store'>,
  { key, path, signal }: { readonly key: string; readonly path: string; readonly signal: AbortSignal },
): Promise<KeptFile> {
  const zipped = `${path}.gz`
  const hashing = createHash('sha256')
  const hashed = new Transform({
    transform(part: Buffer, _, done) {
      hashing.update(part)
      done(null, part)
    },
  })
  await pipeline(createReadStream(path), createGzip({ level: LEVEL }), hashed, createWriteStream(zipped), { signal })
  const hash = hashing.digest('hex')
  const { size } = await stat(zipped)
  const blob = { scope: bulkScope(key), name: hash }
  await store.blobs.touch(blob)
  const known = await store.blobs.find(blob)
  if (known?.complete) return { hash, size }
  await store.blobs.remove(blob)
  let offset = 0
  for await (const bytes of createReadStream(zipped, { highWaterMark: MAX_BLOB_PART }))
    offset = await appendBytes(store, blob, { size, offset, bytes })
  if (await store.blobs.complete(blob)) return { hash, size }
  throw new SyncError('store_unavailable', 'The bulk file could not be kept whole. Ask again.')
}
