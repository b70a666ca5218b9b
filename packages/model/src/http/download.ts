import { isSyncError, SyncError } from '@godwit/protocol'
import type { DeviceFiles } from '../platform/device-files.js'
import { isPage } from '../platform/http-response.js'
import { notTheServer, withFileErrors, withOfflineErrors } from './failures.js'

export interface DownloadRequest {
  /** Name of the complete file. */
  readonly name: string
  /** SHA-256. */
  readonly hash: string
  /** Requests its bytes from an offset. */
  readonly open: (from: number) => Promise<Response>
}

const MAX_ATTEMPTS = 2

/** Downloads a file, resuming an earlier attempt, and renames it when its hash is right. A broken connection is retried as long as bytes arrive. */
export async function download(files: DeviceFiles, { name, hash, open }: DownloadRequest): Promise<void> {
  const part = `${name}.part`
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    while (!(await appendRest(files, part, open))) {}
    if ((await hashOf(files, part)) === hash) return withFileErrors(name, () => files.finish(part, name))
    await files.remove(part)
  }
  throw new SyncError(
    'internal',
    `The server twice sent another file than the one with the SHA-256 ${hash}. Sync again later.`,
  )
}

/** Returns false if the connection broke after some bytes. */
async function appendRest(files: DeviceFiles, part: string, open: DownloadRequest['open']): Promise<boolean> {
  const from = files.size(part) ?? 0
  try {
    const response = await open(from)
    if (isPage(response)) throw notTheServer(response.url, 'a web page')
    if (response.status !== 206) await files.remove(part)
    await withFileErrors(part, () => files.append(part, new Uint8Array()))
    for await (const bytes of bytesOf(response)) await withFileErrors(part, () => files.append(part, bytes))
    return true
  } catch (error) {
    // The part is already complete, or too long: its hash decides.
    if (isSyncError(error) && error.code === 'range_invalid' && from > 0) return true
    if (isSyncError(error) && error.code === 'offline' && (files.size(part) ?? 0) > from) return false
    throw error
  }
}

async function* bytesOf({ body, url }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await withOfflineErrors(url, async () => reader?.read())) ?? { done: true }
      if (done || value === undefined) return
      yield value
    }
  } finally {
    // Otherwise a file that could not be written would keep its connection.
    reader?.cancel().catch(() => {})
  }
}

/** Bytes hashed before the thread yields. */
const HASH_PART_BYTES = 1024 * 1024

/** Reads a file part by part. */
async function* partsOf(files: DeviceFiles, name: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const bytes = await files.read(name, at, HASH_PART_BYTES)
    if (bytes.length === 0) return
    at += bytes.length
    yield bytes
  }
}

/** Returns the SHA-256 of a file, yielding the thread between parts. */
async function hashOf(files: DeviceFiles, name: string): Promise<string> {
  const hash = files.newHash()
  for await (const bytes of partsOf(files, name)) {
    hash.update(bytes)
    await new Promise(resolve => setTimeout(resolve))
  }
  return hash.digest()
}
