import { isSyncError, SyncError } from '@godwit/protocol'

/** What SQLite throws becomes `store_unavailable`; anything else stays what it is. */
export function asStoreError(error: unknown): unknown {
  if (isSyncError(error) || !isSqliteError(error)) return error
  return new SyncError('store_unavailable', `The SQLite file failed (${error.code}): ${error.message}.`, {
    cause: error,
  })
}

export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
}

export const closedError = () => new SyncError('store_unavailable', 'The store was closed.', { retryable: false })
