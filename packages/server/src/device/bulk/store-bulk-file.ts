import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { MAX_BLOB_PART, writeBlob } from '@godwit/store'
import { bulkScope } from '../../base/blob-scopes.js'
import type { DeviceEngine } from '../device-engine.js'

/** A compressed file in the store. */
export interface StoredBulkFile {
  /** SHA-256. */
  readonly hash: string
  readonly size: number
}

// Compressed once and sent many times, but devices wait for the first result.
const LEVEL = constants.Z_BEST_SPEED + 2

/** Compresses a file and stores it under its hash, where every process of the server finds it. */
export async function storeBulkFile(
  { store }: Pick<DeviceEngine, 'store'>,
  { key, path, signal }: { readonly key: string; readonly path: string; readonly signal: AbortSignal },
): Promise<StoredBulkFile> {
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
  const read = (offset: number) => createReadStream(zipped, { start: offset, highWaterMark: MAX_BLOB_PART })
  await writeBlob(store.blobs, { blob, size, read })
  return { hash, size }
}
