import { type ErrorCode, isSyncError, type SourceError } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { BackendEngine } from '../backend-engine.js'

/** Codes whose messages are meant for readers: those of `refusal` and `failure`, and the server's own. */
const PUBLIC_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'refused',
  'backend_failed',
  'backend_timeout',
  'operation_not_supported',
  'source_not_found',
  'store_unavailable',
])

interface ErrorLogLine {
  readonly source: string
  /** The message of the log line. */
  readonly logMessage: string
  /** The level for errors whose messages are shown. Default `warn`. */
  readonly level?: 'warn' | 'debug'
}

/**
 * Logs an error and returns its form for devices. Messages of other errors may contain addresses, statements or users' data, so they are only logged,
 * under an id that the device gets.
 */
export function publicError(
  { log, randomId }: Pick<BackendEngine, 'log' | 'randomId'>,
  error: unknown,
  { source, logMessage, level = 'warn' }: ErrorLogLine,
): SourceError {
  if (isSyncError(error) && PUBLIC_CODES.has(error.code)) {
    const cause = error.cause === undefined ? {} : { cause: messageOf(error.cause) }
    log[level]({ source, error: error.message, ...cause }, logMessage)
    return { code: error.code, message: error.message }
  }
  const id = randomId()
  log.warn({ id, source, error: messageOf(error), stack: error instanceof Error ? error.stack : undefined }, logMessage)
  return { code: 'backend_failed', message: `The backend failed. The server log has the cause, with the id ${id}.` }
}
