import { ERROR_CODES, type ErrorCode, isSyncError, type Problem, SyncError } from '@godwit/protocol'
import type { HttpAnswer } from './answer.js'

/** What a hotspot answers in the server's place is no answer of it: for the device there is no network. */
const IN_BETWEEN =
  'Something in between may have answered in its place, as the sign-in page of a hotspot does; sync again without it.'

/** The server cannot be reached, although something answered. */
export const notTheServer = (server: string, what: string, cause?: unknown): SyncError =>
  new SyncError('offline', `${server} answered ${what}: expected an answer of the sync server. ${IN_BETWEEN}`, {
    cause,
  })

/** Runs a request; what never got an answer of the server is `offline`. */
export async function withOfflineErrors<T>(server: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (isSyncError(cause) && cause.code === 'offline') throw cause
    if (isNoJson(cause)) throw notTheServer(server, 'something that is not JSON', cause)
    throw new SyncError(
      'offline',
      `${server} cannot be reached. Data stays usable; try again when there is a network.`,
      { cause },
    )
  }
}

/** By its name: the error may come from another realm than this code. */
const isNoJson = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'SyntaxError'

/** Runs what writes a file of this device; a full disk is no lack of network. */
export async function withFileErrors<T>(file: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (isSyncError(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SyncError('database_failed', `The file ${file} of this device cannot be written: ${reason}`, { cause })
  }
}

/** A code that this version does not know is taken by its status. What has none is not the server's: it ends no session and refuses nothing. */
export async function problemOf(response: HttpAnswer): Promise<SyncError> {
  const problem = await response.json().then(
    value => (typeof value === 'object' && value !== null ? (value as Partial<Problem>) : {}),
    (): Partial<Problem> => ({}),
  )
  const { code, detail, expected, epoch, hashes, limit } = problem
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
        ...(typeof limit === 'string' && { limit }),
        ...retryAfterOf(response),
      },
    },
  )
}

/** Reads Retry-After as seconds or as a date. A date is compared with the answer's own Date header, as the device's clock may be wrong. */
function retryAfterOf({ headers }: HttpAnswer): { readonly retryAfter?: number } {
  const value = headers.get('retry-after')
  if (value === null) return {}
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isFinite(seconds) ? { retryAfter: Math.max(0, seconds) } : {}
}

/** What a proxy says of a server that is away counts; that it takes no such body or knows no such path is its own word. */
function codeOf(status: number, isOurs: boolean): ErrorCode {
  if (status === 429) return 'too_many_attempts'
  if (status === 502 || status === 503) return 'store_unavailable'
  if (status === 504) return 'backend_timeout'
  if (status >= 500) return 'internal'
  if (!isOurs) return 'offline'
  if (status === 401) return 'session_missing'
  return status === 413 ? 'body_too_large' : 'body_invalid'
}
