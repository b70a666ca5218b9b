import { RETRYABLE_CODES } from '@godwit/protocol'
import type { SourceFailure } from '../run/source-failure.js'
import type { SyncSummary } from '../sync/sync.js'

/** How a run ended, which determines the next automatic run. */
export interface SyncEnd {
  /** Whether it covered all sources. */
  readonly isAll: boolean
  /** Whether it was stopped. */
  readonly isStopped?: boolean
  /** Set if the server cannot be reached, or asks to wait. */
  readonly server?: ServerFailure | undefined
  /** Sources with a temporary failure, and the wait in seconds that the server requests. */
  readonly failed?: ReadonlyMap<string, number | undefined>
  /** Sources that are up to date. */
  readonly done?: readonly string[]
}

export interface ServerFailure {
  readonly isOffline: boolean
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

/** Errors that concern every source. */
const SERVER_CODES: ReadonlySet<string> = new Set(['offline', 'too_many_attempts', 'store_unavailable'])

type Failure = Partial<SourceFailure>

/** Classifies the result of a run: failure of the server, of single sources, or none. Permanent failures do not count, since waiting does not help. */
export function endOf({ sources, stopped }: SyncSummary, isAll: boolean): SyncEnd {
  const failures = sources.flatMap(({ source, error }) => (error ? [{ source, error }] : []))
  const passing = failures.filter(({ error }) => mayPass(error))
  const failed = passing.filter(({ error }) => !SERVER_CODES.has(error.code))
  return {
    isAll,
    isStopped: stopped,
    server: serverTrouble(passing.map(({ error }) => error)),
    failed: new Map(failed.map(({ source, error }) => [source, error.retryAfter])),
    done: sources.flatMap(({ source, error }) => (error ? [] : [source])),
  }
}

/** The end of a run that could not start. */
export function failedEnd(failure: Failure, isAll: boolean): SyncEnd {
  const { code, retryAfter } = failure
  if (!mayPass(failure)) return { isAll }
  return { isAll, server: { isOffline: code === 'offline', retryAfter } }
}

const mayPass = ({ code, ofBackend }: Failure): boolean =>
  code === undefined || ofBackend === true || (RETRYABLE_CODES as ReadonlySet<string>).has(code)

function serverTrouble(failures: readonly SourceFailure[]): ServerFailure | undefined {
  const own = failures.filter(({ code }) => SERVER_CODES.has(code))
  if (own.length === 0) return undefined
  const waits = own.flatMap(({ retryAfter }) => (retryAfter === undefined ? [] : [retryAfter]))
  return {
    isOffline: own.every(({ code }) => code === 'offline'),
    ...(waits.length > 0 && { retryAfter: Math.max(...waits) }),
  }
}
