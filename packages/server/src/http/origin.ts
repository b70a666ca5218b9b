import { API_TOKEN_HEADER, CLIENT_ID_HEADER, HINT_HEADER, QUERY_HEADER, SyncError } from '@godwit/protocol'
import type { HttpReply, HttpRequest } from './http-request.js'

/** Throws if a cookie comes from a page of a foreign origin. */
export function checkOrigin(
  { headers, secure }: Pick<HttpRequest, 'headers' | 'secure'>,
  origins: readonly string[],
): void {
  const { origin, host } = headers
  if (origin === undefined || origins.includes(origin)) return
  // Behind a proxy the server may not know that callers use https.
  const own = secure ? [`https://${host}`] : [`http://${host}`, `https://${host}`]
  if (own.includes(origin)) return
  const got = `expected a page of ${own[0]} to use the session cookie, got ${JSON.stringify(origin.slice(0, 200))}`
  throw new SyncError('origin_not_allowed', `${got}.`)
}

/** Request headers that a page may send. */
const ALLOWED = [
  'Content-Type',
  'Authorization',
  CLIENT_ID_HEADER,
  HINT_HEADER,
  QUERY_HEADER,
  API_TOKEN_HEADER,
  'Range',
  'If-Range',
  'If-None-Match',
  'Last-Event-ID',
].join(', ')

/** Response headers that a page may read, besides the safelisted ones. */
const EXPOSED = 'Retry-After, ETag, Date, Content-Range, Accept-Ranges, Content-Length, X-Request-Id'

/** Seconds for which a browser caches a preflight: the most that one accepts. */
const MAX_AGE = '7200'

/** Returns the headers that let a page of a configured origin read the response; undefined for other origins, for which browsers block it. */
export function corsHeaders(
  { headers: { origin } }: HttpRequest,
  origins: readonly string[],
): HttpReply['headers'] | undefined {
  if (origin === undefined || !origins.includes(origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
  }
}

/** Returns the response to OPTIONS: the path's methods and, for a page of a configured origin, the preflight headers. */
export function optionsReply(call: HttpRequest, methods: readonly string[], origins: readonly string[]): HttpReply {
  const allow = methods.join(', ')
  const isPreflight = call.headers['access-control-request-method'] !== undefined && corsHeaders(call, origins)
  return {
    status: 204,
    headers: {
      allow,
      ...(isPreflight && {
        'access-control-allow-methods': allow,
        'access-control-allow-headers': ALLOWED,
        'access-control-max-age': MAX_AGE,
      }),
    },
    body: '',
  }
}
