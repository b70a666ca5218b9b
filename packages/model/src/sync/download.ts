import { isSyncError, SyncError } from '@godwit/protocol'
import type { DeviceFiles } from '../files/device-files.js'
import { isPage } from './answer.js'
import { notTheServer, withFileErrors, withOfflineErrors } from './failures.js'

export interface DownloadRequest {
  /** What the file is called when it is complete. */
  readonly name: string
  /** SHA-256. */
  readonly hash: string
  /** Asks for its bytes from one on. */
  readonly open: (from: number) => Promise<Response>
}

const ATTEMPTS = 2

/** Fetches a file, from where it was broken off, and gives it its name when it is what it should be. As long as bytes come, a broken connection is no failure. */
export async function download(files: DeviceFiles, { name, hash, open }: DownloadRequest): Promise<void> {
  const part = `${name}.part`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    while (!(await appendRest(files, part, open))) {}
    if ((await hashOf(files, part)) === hash) return withFileErrors(name, () => files.finish(part, name))
    await files.remove(part)
  }
  throw new SyncError('internal', `The server sent something else than the file with the SHA-256 ${hash}, twice.`)
}

/** False: the connection broke, and something came before. */
async function appendRest(files: DeviceFiles, part: string, open: DownloadRequest['open']): Promise<boolean> {
  const from = files.size(part) ?? 0
  try {
    const response = await open(from)
    if (isPage(response)) throw notTheServer(response.url, 'with a web page')
    if (response.status !== 206) await files.remove(part)
    await withFileErrors(part, () => files.append(part, new Uint8Array()))
    for await (const bytes of bytesOf(response)) await withFileErrors(part, () => files.append(part, bytes))
    return true
  } catch (error) {
    // All of it was there already, or more than there is: its hash tells.
    if (isSyncError(error) && error.code === 'range_invalid' && from > 0) return true
    if (isSyncError(error) && error.code === 'offline' && (files.size(part) ?? 0) > from) return false
    throw error
  }
}

async function* bytesOf({ body, url }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (;;) {
    const { done, value } = (await withOfflineErrors(url, async () => reader?.read())) ?? { done: true }
    if (done || value === undefined) return
    yield value
  }
}

/** Bytes of a file that are read and hashed before others get their turn. */
const HASHED_TOGETHER = 1024 * 1024

/** The bytes of a file, part by part. */
async function* partsOf(files: DeviceFiles, name: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const bytes = await files.read(name, at, HASHED_TOGETHER)
    if (bytes.length === 0) return
    at += bytes.length
    yield bytes
  }
}

/** Returns the SHA-256 of a file, and lets others have their turn between its parts. */
async function hashOf(files: DeviceFiles, name: string): Promise<string> {
  const hash = files.newHash()
  for await (const bytes of partsOf(files, name)) {
    hash.update(bytes)
    await new Promise(resolve => setTimeout(resolve))
  }
  return hash.digest()
}
