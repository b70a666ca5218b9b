import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { SyncError } from '@godwit/protocol'
import { addressOf } from '../accounts/access/network.js'
import { answer, respond } from './answer.js'
import type { EdgeContext } from './edge.js'
import { forwardedFor } from './forwarded-for.js'
import { healthReply } from './health-reply.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { problemReply } from './problem.js'
import { tooLarge } from './read-body.js'
import { send } from './send.js'

/** A request of `node:http`, read lazily. */
class NodeHttpRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: HttpRequest['headers']
  readonly secure: boolean
  readonly #trustProxy: boolean
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #disconnected: AbortController | undefined
  #address: string | undefined

  constructor(request: IncomingMessage, response: ServerResponse, trustProxy: boolean) {
    const { method = 'GET', url = '/', headers } = request
    const at = url.indexOf('?')
    this.method = method
    this.path = at < 0 ? url : url.slice(0, at)
    this.search = at < 0 ? '' : url.slice(at + 1)
    // Only `set-cookie` would be a list, and requests do not have it.
    this.headers = headers as HttpRequest['headers']
    this.secure = (request.socket as TLSSocket).encrypted === true || (trustProxy && isForwarded(headers))
    this.#trustProxy = trustProxy
    this.#request = request
    this.#response = response
  }

  get address(): string {
    this.#address ??= (this.#trustProxy && forwardedFor(this.headers)) || remoteOf(this.#request)
    return this.#address
  }

  get signal(): AbortSignal {
    if (!this.#disconnected) {
      const disconnected = new AbortController()
      this.#disconnected = disconnected
      const look = (): void => void (this.#response.writableFinished || disconnected.abort())
      // Read late, so the caller may have disconnected already.
      if (this.#response.closed) look()
      else this.#response.once('close', look)
    }
    return this.#disconnected.signal
  }

  body(limit: number): Promise<Buffer> {
    return readAll(this.#request, limit)
  }
}

/** Returns the remote address; a server that listens on IPv6 sees IPv4 callers as `::ffff:…`. */
const remoteOf = ({ socket: { remoteAddress = '' } }: IncomingMessage): string =>
  addressOf(remoteAddress) ?? remoteAddress

const isForwarded = (headers: IncomingMessage['headers']): boolean =>
  String(headers['x-forwarded-proto']).split(',')[0]?.trim() === 'https'

/** True for routes of devices and backends, which bypass Express. */
export const isHot = (url: string | undefined): boolean =>
  url !== undefined && (url.startsWith('/app/v1/') || url.startsWith('/rc/v1/app/'))

/** Answers a request of a device or backend. Never rejects. */
export async function serveHot(edge: EdgeContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = new NodeHttpRequest(request, response, edge.engine.trustProxy)
  await send(edge, { request, response, reply: await answer(edge, call) })
}

/** Answers any request: health, metrics, pages and the route table. Never rejects. */
export async function serve(edge: EdgeContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = new NodeHttpRequest(request, response, edge.engine.trustProxy)
  await send(edge, { request, response, reply: await respond(edge, call) })
}

/** Answers health and metrics requests, for a process that serves nothing else. */
export async function serveState(edge: EdgeContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = new NodeHttpRequest(request, response, edge.engine.trustProxy)
  const reply = await (healthReply(edge, call) ?? noRouteReply(edge, call))
  await send(edge, { request, response, reply })
}

const noRouteReply = async ({ engine }: EdgeContext, { path }: NodeHttpRequest): Promise<HttpReply> =>
  problemReply(
    new SyncError('route_not_found', `There is no route ${path.slice(0, 200)} here: this process works on jobs.`),
    engine,
  )

/** Reads a body whole. One over the limit is refused as soon as that is known; the rest is discarded unread, so that the response arrives. */
function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.reject(tooLarge(limit))
  if (request.readableEnded) return Promise.reject(bodyAlreadyReadError())
  // The caller disconnected during an earlier wait, so no event would follow.
  if (request.destroyed) return Promise.reject(bodyCutError())
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= limit) parts.push(part)
      else {
        parts.length = 0
        reject(tooLarge(limit))
      }
    })
    request.once('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size)))
    // A broken connection; a disconnect by the caller is not a server failure.
    request.once('error', cause => reject(bodyCutError(cause)))
    // Emitted after every request, so the error is only created if needed.
    request.once('close', () => request.readableEnded || reject(bodyCutError()))
  })
}

const bodyCutError = (cause?: Error): SyncError =>
  new SyncError('malformed_json', 'expected the whole body, got the end of the connection first.', { cause })

/** Waiting for the end of such a body would never finish. */
const bodyAlreadyReadError = (): SyncError =>
  new SyncError(
    'malformed_json',
    'expected an unread body, got one that a body parser of the app has read; mount the server before body parsers.',
  )
