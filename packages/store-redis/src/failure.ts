import { isSyncError, SyncError } from '@godwit/protocol'

/** Patterns of Redis errors, each with our message and whether a retry may help. */
const REASONS: readonly (readonly [pattern: RegExp, says: string, retryable: boolean])[] = [
  [/\bREADONLY\b/, 'Redis is a read-only replica. Name the primary, or its sentinels.', true],
  [/\bOOM\b/, 'Redis is full: it reached its maxmemory. Give it more memory.', true],
  [
    /\bMISCONF\b/,
    'Redis cannot write its data to disk and takes no writes: the disk may be full. Its log says why.',
    true,
  ],
  [/\bNOAUTH\b|\bWRONGPASS\b|invalid password/, 'Redis rejected the user or password.', false],
  [
    /\bNOPERM\b/,
    'The Redis user does not have permission. Godwit needs access to scripts, its keys and its channels.',
    false,
  ],
  [/\bLOADING\b/, 'Redis is loading its data.', true],
  [/^The command was aborted$/, 'Redis did not accept commands in time: it is down or overloaded.', true],
  [/\bBUSY\b/, 'Redis is busy with another script.', true],
  [
    /\bCLUSTERDOWN\b|\bMASTERDOWN\b|\bTRYAGAIN\b/,
    'The Redis Cluster has no primary for these keys at the moment.',
    true,
  ],
  [/unknown command/i, 'Redis does not know a command that Godwit needs. It has to be version 7.0 or newer.', false],
]

/** Converts errors of Redis and its connection to `store_unavailable`; returns a SyncError unchanged. */
export function asStoreError(error: unknown): unknown {
  if (isSyncError(error)) return error
  const text = messageOf(error)
  const [, says, retryable] = REASONS.find(([pattern]) => pattern.test(text)) ?? []
  if (says !== undefined)
    return new SyncError('store_unavailable', `${says} (${text})`, { cause: error, retryable: retryable === true })
  const message = `Redis did not answer: ${text}. A write that was under way may have been done or not; try again.`
  return new SyncError('store_unavailable', message, { cause: error, retryable: true })
}

/** True if Redis does not know the script by its hash: the server was restarted or replaced. */
export const isNoScript = (error: unknown): boolean => /^NOSCRIPT\b/.test(messageOf(error))

/**
 * Reads a message by the error's shape, not by instanceof: socket errors may come from another realm, as in tests, and may have only a code or a
 * class.
 */
function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message = '', code = '' } = error as { readonly message?: string; readonly code?: string }
  return message || code || error.constructor.name
}

/** The error of calls to a closed store. */
export const closedError = (): SyncError =>
  new SyncError('store_unavailable', 'The store was closed. Open it again.', { retryable: false })
