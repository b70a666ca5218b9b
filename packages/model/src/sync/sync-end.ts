import { RETRYABLE_CODES } from '@godwit/protocol'
import type { SourceFailure, SyncSummary } from './sync.js'

/** How a run ended, for what is done by itself after it. */
export interface SyncEnd {
  /** Of all sources. */
  readonly isAll: boolean
  /** It was cut short. */
  readonly isStopped?: boolean
  /** The server cannot be reached, or asks to be left alone. */
  readonly server?: ServerFailure | undefined
  /** Sources that failed in a way that may pass, with the seconds that the server asked for. */
  readonly failed?: ReadonlyMap<string, number | undefined>
  /** Sources that are up to date. */
  readonly done?: readonly string[]
}

export interface ServerFailure {
  readonly isOffline: boolean
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

/** What concerns every source alike. */
const SERVER_CODES: ReadonlySet<string> = new Set(['offline', 'too_many_attempts', 'store_unavailable'])

type Failure = Partial<SourceFailure>

/** What a run came to: trouble of the server, of single sources, or none. What would fail again is no trouble that waiting ends. */
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

/** What kept a run from being tried. */
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
  const asked = own.flatMap(({ retryAfter }) => (retryAfter === undefined ? [] : [retryAfter]))
  return {
    isOffline: own.every(({ code }) => code === 'offline'),
    ...(asked.length > 0 && { retryAfter: Math.max(...asked) }),
  }
}
