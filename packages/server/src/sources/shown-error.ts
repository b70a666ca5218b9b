import { type ErrorCode, isSyncError, type SourceError } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { messageOf } from './refusal.js'

/** Errors with words for those who read them: of `refusal` and `failure`, and this server's own. */
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
  /** The line in the log. */
  readonly logMessage: string
  /** Of errors whose words are shown. Default `warn`. */
  readonly level?: 'warn' | 'debug'
}

/**
 * The error as devices may read it, logged. What anything else throws may hold addresses, statements or other people's data: it stands in the
 * log alone, under the id that is told.
 */
export function shownError(
  { log, randomId }: Pick<Engine, 'log' | 'randomId'>,
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
  return { code: 'backend_failed', message: `The backend failed. The log of the server says why, under the id ${id}.` }
}
