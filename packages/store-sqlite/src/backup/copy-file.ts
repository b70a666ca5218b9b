import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { openFile, type StoreHandle, storeErrors } from './open-file.js'

/** The options of a copy. */
export interface CopyOptions {
  /** Called from time to time with the number of pages copied, and the total. */
  readonly onProgress?: (copied: number, total: number) => void
  /** Aborts the copy, which then rejects with the signal's reason and leaves no file. */
  readonly signal?: AbortSignal
}

const PAGES = 2_000

/** Creates a file beside `target` that only its owner can read, since it will hold hashes of passwords and tokens. */
export function placeBeside(target: string): string {
  const path = `${target}.${randomBytes(6).toString('hex')}.partial`
  closeSync(openSync(path, 'wx', 0o600))
  return path
}

/** Deletes an unfinished copy with its journals. */
export function removeFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

/** Copies a store as of one moment, which a read transaction holds until the last page is copied. The result is a single file, without a log. */
export async function copyFile(from: string, to: string, { onProgress, signal }: CopyOptions = {}): Promise<void> {
  const source = openFile(from)
  try {
    storeErrors(from, () => {
      source.exec('BEGIN')
      source.prepare('SELECT count(*) FROM sqlite_schema').get()
    })
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress?.(totalPages - remainingPages, totalPages)
        signal?.throwIfAborted()
        return PAGES
      },
    })
  } finally {
    source.close()
  }
  withoutLog(to)
}

function withoutLog(path: string): void {
  const handle = openFile(path)
  try {
    storeErrors(path, () => leaveLog(handle))
  } finally {
    handle.close()
  }
}

/** Turns the write-ahead log off. Throws `SQLITE_BUSY` while another connection has the file open. */
export function leaveLog(handle: StoreHandle): void {
  handle.exec('PRAGMA journal_mode = DELETE')
}

/** Rejects with the signal's reason, also if it was aborted while a check blocked the event loop. Call it last before the rename. */
export async function throwIfAborted({ signal }: CopyOptions): Promise<void> {
  await setImmediate()
  signal?.throwIfAborted()
}

/** Makes a rename durable. Ignores errors: some systems cannot sync a folder, and need not. */
export function syncFolder(path: string): void {
  let folder: number | undefined
  try {
    folder = openSync(dirname(path), 'r')
    fsyncSync(folder)
  } catch {
  } finally {
    if (folder !== undefined) closeSync(folder)
  }
}
