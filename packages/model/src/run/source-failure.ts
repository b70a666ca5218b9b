import { type ErrorCode, isSyncError, SyncError } from '@godwit/protocol'
import { type ErrorFacts, errorFacts } from '../events/sdk-events.js'
import type { SyncContext } from './sync-context.js'

/** Why a source could not be synced. */
export interface SourceFailure extends ErrorFacts {
  /** Seconds that the server requests as a wait. */
  readonly retryAfter?: number
  /** True if its backend failed: the server's rows are delivered and may be old. */
  readonly ofBackend?: true
}

/** Returns the failure for an error, with the wait that the server requests. */
export function failureOf(cause: unknown): SourceFailure {
  const retryAfter = isSyncError(cause) ? cause.details['retryAfter'] : undefined
  return { ...errorFacts(cause), ...(typeof retryAfter === 'number' && { retryAfter }) }
}

/** Returns the error of a failure that a response names as data. */
export const errorOf = ({ code, message }: ErrorFacts): SyncError => new SyncError(code as ErrorCode, message)

/** Codes of errors that end the session. */
export const SESSION_CODES: ReadonlySet<string> = new Set(['session_missing', 'session_expired', 'logged_out'])

/** Converts a failure of a call. If the server no longer knows the session, the session ends here too, and the user has to log in. */
export function endedBy(context: SyncContext, token: string, cause: unknown): unknown {
  const { code, message } = failureOf(cause)
  if (!SESSION_CODES.has(code)) return cause
  endSession(context, token)
  return loggedOutError(context, code, message)
}

/** `details` has the signed-out user and the number of changes that wait. */
export const loggedOutError = ({ session }: Pick<SyncContext, 'session'>, code: string, message: string): SyncError =>
  new SyncError(code === 'session_expired' ? 'session_expired' : 'logged_out', message, { details: session.waiting })

/** Ends the session that the server no longer knows, unless a newer login has replaced it. */
export function endSession({ session, events }: SyncContext, token: string): void {
  if (session.token !== token) return
  session.end()
  events.emit({ kind: 'status', loggedIn: false, userName: session.userName })
}
