import { type ErrorCode, isSyncError, SyncError } from '@godwit/protocol'
import type { WireError } from './protocol.js'

/** Converts an error for a message between threads. An error that is no SyncError becomes `internal`. */
export function toWire(error: unknown): WireError {
  if (!isSyncError(error)) return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
  const { code, message, details, retryable } = error
  return { code, message, details: cloneable(details), retryable }
}

/** Restores an error. Its stack is that of this thread. */
export const fromWire = ({ code, message, ...rest }: WireError): SyncError =>
  new SyncError(code as ErrorCode, message, rest)

/** Details are JSON; anything that a message could not carry is omitted. */
function cloneable(details: SyncError['details']): SyncError['details'] {
  try {
    return JSON.parse(JSON.stringify(details)) as SyncError['details']
  } catch {
    return {}
  }
}

/** The event for an error that no call waits for. */
export const errorEvent = (
  { code, message }: { readonly code?: string; readonly message: string },
  source: string | null = null,
) => ({
  kind: 'error',
  source,
  error: { code, message },
})
