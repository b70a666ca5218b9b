import { respond } from './answer.js'
import type { EdgeContext } from './edge.js'
import { forwardedFor } from './forwarded-for.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { tooLarge } from './read-body.js'
import { FIXED } from './send.js'

/** Serves a `Request` as a `Response`, without a socket. */
export async function serveFetch(edge: EdgeContext, request: Request): Promise<Response> {
  return responseOf(await respond(edge, callOf(request, edge.engine.trustProxy)), request.method)
}

function callOf(request: Request, trustProxy: boolean): HttpRequest {
  const { pathname, search, protocol, host } = new URL(request.url)
  return {
    method: request.method,
    path: pathname,
    search: search.slice(1),
    headers: { host, ...Object.fromEntries(request.headers) },
    address: (trustProxy && forwardedFor(Object.fromEntries(request.headers))) || '',
    secure: protocol === 'https:',
    signal: request.signal,
    body: limit => readAll(request, limit),
  }
}

async function readAll({ body }: Request, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > limit) throw tooLarge(limit)
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

function responseOf({ status, headers, body, sent }: HttpReply, method: string): Response {
  // The text belongs to the response from here on.
  sent?.()
  const list: [string, string][] = Object.entries({ ...FIXED, ...headers }).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  )
  const isBare = method === 'HEAD' || status === 204 || status === 304
  return new Response(isBare ? null : typeof body === 'string' ? body : streamOf(body), { status, headers: list })
}

/** Returns a stream that produces parts as they are read, and stops when the reader cancels. */
function streamOf(parts: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = parts[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
