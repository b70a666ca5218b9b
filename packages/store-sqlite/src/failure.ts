import { isSyncError, SyncError } from '@godwit/protocol'

/** Converts errors of SQLite to `store_unavailable`; returns others unchanged. */
export function asStoreError(error: unknown): unknown {
  if (isSyncError(error) || !isSqliteError(error)) return error
  return new SyncError('store_unavailable', `The SQLite file failed (${error.code}): ${error.message}.`, {
    cause: error,
  })
}

/** Recognizes an error by its shape: all realms of a process share the native module, whose errors are instances of the first realm's classes. */
export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('SQLITE_')
}

/** True if the disk had no room for a write. */
export const isFull = (error: unknown): boolean => codeOf(error) === 'SQLITE_FULL'

/** True if the file or its disk failed, as opposed to the statement. */
export const isFailedFile = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/.test(codeOf(error) ?? '')

/** True if the file is damaged, which no later success disproves. */
export const isDamaged = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error) ?? '')

function codeOf(error: unknown): string | undefined {
  if (isSqliteError(error)) return error.code
  return isSyncError(error) && isSqliteError(error.cause) ? error.cause.code : undefined
}

export const closedError = () =>
  new SyncError('store_unavailable', 'The store was closed. Open it again.', { retryable: false })
