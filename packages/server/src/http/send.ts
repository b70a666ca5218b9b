import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '@godwit/source'
import { gzipStream, gzipText, isWorthIt, wantsGzip } from './compress.js'
import type { EdgeContext } from './edge.js'
import type { HttpReply } from './http-request.js'
import { writeLive } from './write-live.js'

/** A reply and its destination. */
export interface SendOptions {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly reply: HttpReply
}

/** Milliseconds after which a reader that takes nothing of a large reply is disconnected. */
const STALLED = 60_000

// API responses must not be cached unless they allow it, and must not be sniffed.
export const FIXED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** Sends a reply, compressed if the request allows it. Never rejects: a disconnected caller is ignored. */
export async function send({ engine, traffic }: EdgeContext, { request, response, reply }: SendOptions): Promise<void> {
  if (reply.sent) whenClosed(response, reply.sent)
  try {
    const headers = traffic.draining ? { ...reply.headers, connection: 'close' } : reply.headers
    const gzip = !reply.cut && !reply.exact && wantsGzip(request)
    if (typeof reply.body !== 'string') await writeStream({ request, response, reply: { ...reply, headers } }, gzip)
    else if (!gzip || !isWorthIt(reply.body)) write(response, reply.status, headers, reply.body)
    else write(response, reply.status, gzipHeaders(headers), await (reply.zip?.() ?? gzipText(reply.body)))
  } catch (error) {
    engine.log.debug({ error: messageOf(error) }, 'could not send a response')
    response.destroy()
  }
}

/** Calls `sent` once the response is in the hands of the system, or its reader is gone or takes nothing for a minute. */
function whenClosed(response: ServerResponse, sent: () => void): void {
  if (response.closed) sent()
  else response.once('close', sent).setTimeout(STALLED, () => response.destroy())
}

/** Writes a text response unchanged. */
export function write(
  response: ServerResponse,
  status: number,
  headers: HttpReply['headers'],
  body: string | Buffer,
): void {
  const length = status === 204 || status === 304 ? undefined : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...withFixedHeaders(headers), ...length }).end(body)
}

async function writeStream({ request, response, reply }: SendOptions, gzip: boolean): Promise<void> {
  const { status, headers, body, cut } = reply
  if (request.method === 'HEAD') return void response.writeHead(status, withFixedHeaders(headers)).end()
  response.writeHead(status, withFixedHeaders(gzip ? gzipHeaders(headers) : headers))
  if (cut) return writeLive(response, body as AsyncIterable<string>, cut)
  const source = Readable.from(body, { objectMode: false })
  await (gzip ? pipeline(source, gzipStream(), response) : pipeline(source, response))
}

const withFixedHeaders = (headers: HttpReply['headers']): OutgoingHttpHeaders => ({
  ...FIXED,
  ...(headers as OutgoingHttpHeaders),
})

const gzipHeaders = (headers: HttpReply['headers']): HttpReply['headers'] => ({
  ...headers,
  'content-encoding': 'gzip',
  vary: [...new Set([headers['vary'] ?? [], 'Accept-Encoding'].flat())].join(', '),
})
