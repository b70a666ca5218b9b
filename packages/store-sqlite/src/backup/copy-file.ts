import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { openFile, type StoreHandle, storeErrors } from './open-file.js'

/** Progress and end of a copy. */
export interface CopyOptions {
  /** Called now and then with pages of the file: how many are copied, and how many there are. */
  readonly onProgress?: (copied: number, total: number) => void
  /** Stops the copying: it rejects with the signal's reason, and leaves nothing. */
  readonly signal?: AbortSignal
}

const PAGES = 2_000

/** A new file beside `target`, readable by its owner alone: it holds hashes of passwords and tokens. */
export function placeBeside(target: string): string {
  const path = `${target}.${randomBytes(6).toString('hex')}.partial`
  closeSync(openSync(path, 'wx', 0o600))
  return path
}

/** What was begun and not finished. */
export function removeFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

/** One moment of the store, while others write: the transaction holds it until the last page is copied. The copy is one file, without a log. */
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

/** Throws `SQLITE_BUSY` while anybody else has the file open. */
export function leaveLog(handle: StoreHandle): void {
  handle.exec('PRAGMA journal_mode = DELETE')
}

/** Rejects with the signal's reason, also if it came while a check held the thread: the last moment before the copy takes its name. */
export async function throwIfAborted({ signal }: CopyOptions): Promise<void> {
  await setImmediate()
  signal?.throwIfAborted()
}

/** The new name is on disk. Some systems cannot sync a folder, and need not. */
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
