import { existsSync } from 'node:fs'
import { SyncError } from '@godwit/protocol'
import BetterSqlite3 from 'better-sqlite3'
import { asStoreError, isSqliteError } from '../failure.js'

/** A file of a store, opened beside the server that may have it open too. */
export type StoreHandle = BetterSqlite3.Database

/** A backup never waits for a writer, but opening may meet one that recovers the log. */
const BUSY_TIMEOUT = 2_000

/** The file must be there. Read and write: a connection that only reads would leave `-wal` and `-shm` behind. */
export function openFile(path: string): StoreHandle {
  if (!existsSync(path)) throw refusal(`There is no file ${path}.`)
  return storeErrors(path, () => new BetterSqlite3(path, { fileMustExist: true, timeout: BUSY_TIMEOUT }))
}

/** What SQLite throws names the file. */
export function storeErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw isSqliteError(error) ? refusal(`${path}: ${sentenceOf(error)}`, asStoreError(error)) : error
  }
}

const sentenceOf = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === 'SQLITE_NOTADB' ? 'it is no SQLite database.' : `SQLite says ${code}: ${message}.`

/** An error that no repetition solves. */
export const refusal = (message: string, cause?: unknown): SyncError =>
  new SyncError('store_unavailable', message, { retryable: false, cause })
