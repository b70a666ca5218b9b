import { isSyncError, SyncError } from '@godwit/protocol'

/** What SQLite throws becomes `store_unavailable`; anything else stays what it is. */
export function asStoreError(error: unknown): unknown {
  if (isSyncError(error) || !isSqliteError(error)) return error
  return new SyncError('store_unavailable', `The SQLite file failed (${error.code}): ${error.message}.`, {
    cause: error,
  })
}

/** By its shape: the native module is shared by all realms of a process, and its errors are instances in the first one only. */
export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('SQLITE_')
}

/** True when there was no room for what was to be written. */
export const isFull = (error: unknown): boolean => codeOf(error) === 'SQLITE_FULL'

/** True when the file or its disk failed, and not what was asked of it. */
export const isFailedFile = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/.test(codeOf(error) ?? '')

function codeOf(error: unknown): string | undefined {
  if (isSqliteError(error)) return error.code
  return isSyncError(error) && isSqliteError(error.cause) ? error.cause.code : undefined
}

export const closedError = () =>
  new SyncError('store_unavailable', 'The store was closed. Open it again.', { retryable: false })
