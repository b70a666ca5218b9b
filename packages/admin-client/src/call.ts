import {
  type Answer,
  API_TOKEN_HEADER,
  type Body,
  type ErrorCode,
  fillPath,
  isErrorCode,
  type Parameters,
  type Query,
  type RouteLine,
  SyncError,
} from '@godwit/protocol'
import type { CallOptions, ServerConnection } from './connection.js'

type CallInput<Name extends string, Value> = [Value] extends [undefined] ? unknown : { readonly [N in Name]: Value }

/** The values of a request: path parameters, query and body, each only if the route has it. */
export type RequestValues<R> = CallOptions &
  ([keyof Parameters<R>] extends [never] ? unknown : { readonly parameters: Parameters<R> }) &
  CallInput<'query', Query<R>> &
  CallInput<'body', Body<R>>

/** `RequestValues` of a route that is not known by its type. */
export interface AnyRequestValues extends CallOptions {
  readonly parameters?: { readonly [name: string]: string }
  readonly query?: object
  readonly body?: unknown
}

/** Calls a route and returns its answer. Rejects with a `SyncError` with the server's code and message. */
export async function call<R extends RouteLine>(
  connection: ServerConnection,
  route: R,
  values: RequestValues<R>,
): Promise<Answer<R>> {
  return (await readAnswer(await respond(connection, route, values))) as Answer<R>
}

/** Calls a route and returns its response, with the body unread. */
export async function respond(
  connection: ServerConnection,
  route: RouteLine,
  values: AnyRequestValues,
): Promise<Response> {
  const response = await send(connection, route, values)
  if (!response.ok) throw await failureOf(response, `${route.method} ${route.path}`)
  return response
}

async function send(
  { url, token, fetch }: ServerConnection,
  { method, path }: RouteLine,
  { parameters = {}, query, body, signal }: AnyRequestValues,
): Promise<Response> {
  const address = url + fillPath(path, checkPathParameters(parameters)) + queryText(query)
  const headers = {
    accept: 'application/json, text/plain',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { [API_TOKEN_HEADER]: token }),
  }
  try {
    return await fetch(address, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (cause) {
    signal?.throwIfAborted()
    throw new SyncError('offline', `${method} ${path}: no response from ${url}. Check that the server is running.`, {
      cause,
    })
  }
}

/**
 * Rejects empty names, `.` and `..`, because URL normalisation would turn them into another route, and unpaired surrogates, which have no
 * percent-encoding.
 */
function checkPathParameters(parameters: { readonly [name: string]: string }): { readonly [name: string]: string } {
  for (const [name, value] of Object.entries(parameters)) {
    if (/^\.{0,2}$/.test(value) || !value.isWellFormed()) {
      throw new SyncError(
        'body_invalid',
        `${name}: expected a name that can stand in a path, got ${JSON.stringify(value)}.`,
        {
          details: { name, value },
        },
      )
    }
  }
  return parameters
}

function queryText(query: object = {}): string {
  const members = Object.entries(query).filter(([, value]) => value !== undefined)
  return members.length === 0 ? '' : `?${new URLSearchParams(members.map(([name, value]) => [name, String(value)]))}`
}

/** True for a response with a text content type. */
export const isText = ({ headers }: Response): boolean => /^text\//i.test(headers.get('content-type') ?? '')

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  if (isText(response)) return text
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SyncError(
      'internal',
      `expected JSON from ${response.url}, got "${text.slice(0, 80)}". Check that the address is that of a Godwit server.`,
      { cause },
    )
  }
}

/** Codes for responses without a known one: from a proxy, or from a newer server. */
const BY_STATUS: { readonly [status: number]: ErrorCode } = {
  400: 'malformed_json',
  401: 'token_invalid',
  403: 'role_insufficient',
  404: 'route_not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  416: 'range_invalid',
  422: 'body_invalid',
  429: 'too_many_attempts',
  502: 'backend_failed',
  503: 'store_unavailable',
  504: 'backend_timeout',
}

/** Returns the error of a response. If the body is not a problem document, the code follows from the status. */
async function failureOf(response: Response, what: string): Promise<SyncError> {
  const { status, statusText } = response
  const { code, detail, type: _type, title: _title, ...rest } = problemIn(await response.text().catch(() => ''))
  const said = typeof detail === 'string' && detail !== '' ? detail : `${what}: ${status} ${statusText}`.trimEnd()
  return new SyncError(isErrorCode(code) ? code : codeFor(status), said, {
    details: { ...rest, ...(typeof code === 'string' && { code }), ...retryAfter(response), status },
  })
}

function problemIn(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return text.length > 0 && text.length < 500 && !text.startsWith('<') ? { detail: text } : {}
  }
}

function retryAfter({ headers }: Response): { readonly retry_after?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isNaN(seconds) ? {} : { retry_after: seconds }
}

const codeFor = (status: number): ErrorCode => BY_STATUS[status] ?? (status < 500 ? 'body_invalid' : 'internal')
