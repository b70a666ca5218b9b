import { type ErrorCode, isErrorCode, isSyncError, type Problem, SyncError } from '@godwit/protocol'
import type { HttpAnswer } from '../platform/http-response.js'

/** Status codes of captive portals and proxies, which mean that there is no connection to the server. */
const IN_BETWEEN =
  'Another system may have responded instead, such as the sign-in page of a Wi-Fi hotspot. Sync again without it.'

/** The error for an answer that is not the server's. */
export const notTheServer = (server: string, what: string, cause?: unknown): SyncError =>
  new SyncError('offline', `expected a response from the sync server at ${server}, got ${what}. ${IN_BETWEEN}`, {
    cause,
  })

/** Runs a request; one without an answer of the server fails with `offline`. */
export async function withOfflineErrors<T>(server: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (isSyncError(cause) && cause.code === 'offline') throw cause
    if (isNoJson(cause)) throw notTheServer(server, 'something that is not JSON', cause)
    throw new SyncError(
      'offline',
      `${server} cannot be reached. Local data remains available. Try again when there is a network.`,
      { cause },
    )
  }
}

/** Checked by name, because the error may come from another realm. */
const isNoJson = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'SyntaxError'

/** Runs a function that writes a file of this device, so that a full disk is not reported as a missing network. */
export async function withFileErrors<T>(file: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (isSyncError(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SyncError('database_failed', `The file ${file} of this device cannot be written: ${reason}`, { cause })
  }
}

/**
 * Reads the error of a response. An unknown code is classified by its status; an answer without one is not the server's, so it ends no session and
 * refuses nothing.
 */
export async function problemOf(response: HttpAnswer): Promise<SyncError> {
  const problem = await response.json().then(
    value => (typeof value === 'object' && value !== null ? (value as Partial<Problem>) : {}),
    (): Partial<Problem> => ({}),
  )
  const { code, detail, expected, epoch, hashes, limit } = problem
  const isOurs = typeof code === 'string'
  const who = isOurs ? 'The server' : 'A system between this device and the server'
  return new SyncError(
    isErrorCode(code) ? code : codeOf(response.status, isOurs),
    detail ?? `${who} responded with status ${response.status}.`,
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

/** Classifies a status. From a proxy, only statuses about an unavailable server count. */
function codeOf(status: number, isOurs: boolean): ErrorCode {
  if (status === 429) return 'too_many_attempts'
  if (status === 502 || status === 503) return 'store_unavailable'
  if (status === 504) return 'backend_timeout'
  if (status >= 500) return 'internal'
  if (!isOurs) return 'offline'
  if (status === 401) return 'session_missing'
  return status === 413 ? 'body_too_large' : 'body_invalid'
}
