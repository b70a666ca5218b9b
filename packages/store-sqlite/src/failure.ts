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

export const closedError = () => new SyncError('store_unavailable', 'The store was closed.', { retryable: false })
