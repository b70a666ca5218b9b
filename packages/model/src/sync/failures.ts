import { ERROR_CODES, type ErrorCode, type Problem, SyncError } from '@godwit/protocol'
import type { Answer } from './answer.js'

/** Runs a request; what never got an answer is `offline`. */
export async function reached<T>(server: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw new SyncError('internal', `${server} answered something that is not JSON.`, { cause })
    throw new SyncError(
      'offline',
      `${server} cannot be reached. Data stays usable; sync again when there is a network.`,
      { cause },
    )
  }
}

/** Runs what writes a file of this device; a full disk is no lack of network. */
export async function written<T>(file: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SyncError('database_failed', `The file ${file} of this device cannot be written: ${reason}`, { cause })
  }
}

/** A code that this version does not know is taken by its status. What has none is not the server's: it ends no session and refuses nothing. */
export async function problemOf(response: Answer): Promise<SyncError> {
  const problem = await response.json().then(
    value => (typeof value === 'object' && value !== null ? (value as Partial<Problem>) : {}),
    (): Partial<Problem> => ({}),
  )
  const { code, detail, expected, epoch, hashes } = problem
  const isOurs = typeof code === 'string'
  const known = isOurs && Object.hasOwn(ERROR_CODES, code)
  const who = isOurs ? 'The server' : 'Something between this device and the server'
  return new SyncError(
    known ? (code as ErrorCode) : codeOf(response.status, isOurs),
    detail ?? `${who} answered with the status ${response.status}.`,
    {
      details: {
        status: response.status,
        ...(expected !== undefined && { expected }),
        ...(epoch !== undefined && { epoch }),
        ...(Array.isArray(hashes) && { hashes }),
        ...retryAfterOf(response),
      },
    },
  )
}

/** Seconds, or a date: by the clock of whoever wrote it, as that of this device may be wrong. */
function retryAfterOf({ headers }: Answer): { readonly retryAfter?: number } {
  const value = headers.get('retry-after')
  if (value === null) return {}
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? { retryAfter: Math.max(0, seconds) } : {}
}

function codeOf(status: number, isOurs: boolean): ErrorCode {
  if (status === 401 && isOurs) return 'session_missing'
  if (status === 413) return 'body_too_large'
  if (status === 429) return 'too_many_attempts'
  if (status === 502 || status === 503) return 'store_unavailable'
  if (status === 504) return 'backend_timeout'
  return status >= 500 || !isOurs ? 'internal' : 'body_invalid'
}
