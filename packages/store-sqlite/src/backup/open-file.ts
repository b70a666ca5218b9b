import { existsSync } from 'node:fs'
import { SyncError } from '@godwit/protocol'
import BetterSqlite3 from 'better-sqlite3'
import { asStoreError, isSqliteError } from '../failure.js'

/** A handle of a store's file, which a server may have open as well. */
export type StoreHandle = BetterSqlite3.Database

/** Milliseconds to wait for a lock. A backup does not wait for writers, but opening may meet a connection that recovers the log. */
const BUSY_TIMEOUT = 2_000

/** Opens an existing file for reading and writing: a read-only connection would leave `-wal` and `-shm` files behind. */
export function openFile(path: string): StoreHandle {
  if (!existsSync(path)) throw refusal(`There is no file ${path}.`)
  return storeErrors(path, () => new BetterSqlite3(path, { fileMustExist: true, timeout: BUSY_TIMEOUT }))
}

/** Converts errors of SQLite to errors that name the file. */
export function storeErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw isSqliteError(error) ? refusal(`${path}: ${sentenceOf(error)}`, asStoreError(error)) : error
  }
}

const sentenceOf = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === 'SQLITE_NOTADB' ? 'it is no SQLite database.' : `SQLite says ${code}: ${message}.`

/** An error that is not retryable. */
export const refusal = (message: string, cause?: unknown): SyncError =>
  new SyncError('store_unavailable', message, { retryable: false, cause })
