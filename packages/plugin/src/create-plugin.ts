import { type AnyBackendCall, BACKEND_SIGNATURE_HEADER, isSyncError, SyncError } from '@godwit/protocol'
import { isCursorGone, isRefusal, messageOf, signatureFlaw } from '@godwit/source'
import type { PluginSource } from './plugin-source.js'
import { type PluginAuthenticate, runCall } from './run-call.js'

/** The options of `createPlugin`. */
export interface PluginOptions {
  /** The secret with which the server signs its calls: `godwit backend secret` prints it. At least 16 characters. */
  readonly secret: string
  /** The sources by name. */
  // biome-ignore lint/suspicious/noExplicitAny: sources of different attributes
  readonly sources: { readonly [name: string]: PluginSource<any> }
  /** Decides on logins of devices. Default: the calls are answered with 404. */
  readonly authenticate?: PluginAuthenticate
  /** The path in front of the operation. Default `/sync`. */
  readonly prefix?: string
  /** Called with errors that are no refusals, whose messages the server does not get. Default: they are dropped. */
  readonly onError?: (error: unknown, operation: string) => void
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
}

/** An HTTP backend, as a handler of the Fetch API. */
export interface Plugin {
  fetch(request: Request): Promise<Response>
}

const MAX_BODY = 64 * 1024 * 1024

/**
 * Makes an HTTP backend of plain functions: it verifies the signature of each call, runs the function, and answers in the documented wire.
 *
 * @example
 * ```ts
 * const plugin = createPlugin({ secret, sources: { Order: { query: ({ user }) => ordersOf(user) } } })
 * createServer(nodeHandler(plugin)).listen(9000)
 * ```
 */
export function createPlugin({
  secret,
  sources,
  authenticate,
  prefix = '/sync',
  onError,
  clock,
}: PluginOptions): Plugin {
  if (typeof secret !== 'string' || secret.length < 16)
    throw new SyncError('value_not_allowed', 'secret: expected a text of at least 16 characters, got a shorter one.')
  const handlers = { sources, authenticate }
  return {
    async fetch(request) {
      const operation = operationOf(request, prefix)
      if (operation === undefined) return text('There is nothing here.', 404)
      const body = new Uint8Array(await request.arrayBuffer())
      if (body.length > MAX_BODY) return text('expected a smaller body.', 413)
      const signature = request.headers.get(BACKEND_SIGNATURE_HEADER)
      const flaw = await signatureFlaw({ secret, body, signature, now: (clock ?? Date.now)() })
      // 400 without a message: a wrong secret must neither roll changes back nor look like a wrong password.
      if (flaw !== undefined) return text(flaw, 400)
      try {
        return await runCall(handlers, callOf(body, operation), request.signal)
      } catch (error) {
        return responseOf(error, () => onError?.(error, operation))
      }
    },
  }
}

/** Returns the last segment of a call's path. */
function operationOf({ method, url }: Request, prefix: string): string | undefined {
  const { pathname } = new URL(url)
  const at = pathname.lastIndexOf('/')
  return method === 'POST' && pathname.slice(0, at).endsWith(prefix) ? pathname.slice(at + 1) : undefined
}

function callOf(body: Uint8Array, operation: string): AnyBackendCall {
  const call = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as AnyBackendCall
  if (call.operation === operation) return call
  throw new SyncError('body_invalid', `expected the operation ${operation} in the body, got ${String(call.operation)}.`)
}

function responseOf(error: unknown, report: () => void): Response {
  if (isCursorGone(error)) return text(error.message, 410)
  if (isRefusal(error)) return Response.json({ message: error.message }, { status: 422 })
  report()
  const says = isSyncError(error) ? messageOf(error) : 'The backend failed.'
  return text(says, 500)
}

const text = (says: string, status: number): Response => new Response(`${says}\n`, { status })
