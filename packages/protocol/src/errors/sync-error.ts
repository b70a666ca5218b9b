import { type ErrorCode, RETRYABLE_CODES } from './codes.js'

const MARKER = Symbol.for('godwit.sync-error')

/** Options of a `SyncError`. */
export interface SyncErrorOptions {
  /** Machine-readable facts, as JSON: what was expected, what was received. */
  readonly details?: { readonly [name: string]: unknown }
  readonly cause?: unknown
  /** True if the same call may succeed later. Default: as documented for the code. */
  readonly retryable?: boolean
}

/**
 * The error class of all Godwit packages: `code` is a documented code (`ERROR_CODES`), the message says what was expected, what was received and what
 * to do. Check for it with `isSyncError`, which also works across copies of this package.
 */
export class SyncError extends Error {
  override readonly name = 'SyncError'
  readonly [MARKER] = true
  readonly code: ErrorCode
  readonly details: { readonly [name: string]: unknown }
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, options: SyncErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
    this.retryable = options.retryable ?? RETRYABLE_CODES.has(code)
  }
}

/** True for a `SyncError`, including one from another copy of this package, which `instanceof` does not recognise. */
export function isSyncError(value: unknown): value is SyncError {
  return typeof value === 'object' && value !== null && (value as { [MARKER]?: unknown })[MARKER] === true
}
