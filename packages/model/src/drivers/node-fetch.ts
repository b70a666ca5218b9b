import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { HttpAnswer } from '../platform/http-response.js'

/** A fetch for long-lived GET responses, whose connection does not keep the process alive. */
export const quietFetch: typeof fetch = async (input, init) => {
  const answer = await ask(input, init, { agent: false, isQuiet: true })
  // A broken connection ends the body with an error, possibly before the body has a reader.
  answer.on('error', () => {})
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const status = answer.statusCode ?? 500
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), { status, headers })
}

/**
 * A fetch for responses that are read completely; it follows no redirect to another origin and does not keep the process alive. V8 retains the
 * requests of fetch until a major garbage collection, which doubles the young generation in a long sync; here a response is only its bytes.
 */
export const wholeFetch = async (input: string, init?: RequestInit): Promise<HttpAnswer> => {
  const answer = await ask(input, init, { headers: { 'accept-encoding': 'gzip' }, isQuiet: true })
  if (leadsOn(answer, input)) {
    answer.resume()
    return fetch(input, init)
  }
  const bytes = await bytesOf(answer)
  return answerOf(answer, answer.headers['content-encoding'] === 'gzip' ? await unzip(bytes, PIECES) : bytes)
}

/** Returns true for a redirect to the same origin. Others are not followed, because the request can contain a password. */
function leadsOn({ statusCode = 0, headers: { location } }: IncomingMessage, from: string): boolean {
  if (statusCode < 300 || statusCode > 399 || location === undefined || !URL.canParse(location, from)) return false
  return new URL(location, from).origin === new URL(from).origin
}

function answerOf({ statusCode: status = 500, headers }: IncomingMessage, bytes: Buffer<ArrayBuffer>): HttpAnswer {
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: name => headers[name]?.toString() ?? null },
    arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    bytes: async () => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    json: async () => JSON.parse(bytes.toString()),
  }
}

/** Options for unpacking with large chunks, because a page has about half a megabyte. */
const PIECES = { chunkSize: 1024 * 1024 }

const unzip = promisify<Buffer<ArrayBuffer>, typeof PIECES, Buffer<ArrayBuffer>>(gunzip)

type FetchOptions = Pick<RequestOptions, 'agent'> & {
  readonly headers?: { readonly [name: string]: string }
  readonly isQuiet?: boolean
}

/** Sends a request, and repeats it if the server closed the kept-alive connection before it read the request. */
const ask = (...given: Parameters<typeof askOnce>): Promise<IncomingMessage> =>
  askOnce(...given).catch((cause: unknown) => {
    const [input, init, options] = given
    if (!(cause instanceof StaleConnection)) throw cause
    return askOnce(input, init, { ...options, agent: false })
  })

class StaleConnection extends Error {}

const askOnce = (
  input: Parameters<typeof fetch>[0],
  { method = 'GET', headers, body, signal }: RequestInit = {},
  { isQuiet, ...options }: FetchOptions,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = new URL(String(input))
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = request(url, {
      ...options,
      method,
      headers: { ...options.headers, ...Object.fromEntries(new Headers(headers)) },
      ...(signal && { signal }),
    })
    sent.on('response', resolve)
    sent.on('error', (cause: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(cause.code ?? '')
      reject(isStale ? new StaleConnection(cause.message, { cause }) : cause)
    })
    if (isQuiet) sent.on('socket', socket => socket.unref())
    sent.end(body)
  })

const bytesOf = (answer: IncomingMessage): Promise<Buffer<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => resolve(Buffer.concat(chunks)))
    answer.on('error', reject)
  })
