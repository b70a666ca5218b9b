import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Plugin } from '../create-plugin.js'

/**
 * Returns a handler for `node:http`, Express and whatever has their requests. It reads the body itself: mount it in front of parsers of bodies.
 *
 * @example
 * ```ts
 * createServer(nodeHandler(plugin)).listen(9000)
 * express().use(nodeHandler(plugin))
 * ```
 */
export function nodeHandler(plugin: Plugin): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    handle(plugin, request, response).catch(() => response.destroy())
  }
}

async function handle(plugin: Plugin, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ended = new AbortController()
  response.once('close', () => ended.abort())
  const answer = await plugin.fetch(await requestOf(request, ended.signal))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) return void response.end()
  await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response)
}

/** Express shortens `url` below a mount, and keeps the whole path in `originalUrl`. */
async function requestOf(
  request: IncomingMessage & { readonly originalUrl?: string },
  signal: AbortSignal,
): Promise<Request> {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value ?? '')])
  const method = request.method ?? 'GET'
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  const url = new URL(request.originalUrl ?? request.url ?? '/', 'http://backend')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(url, { method, headers, signal, ...(hasBody && { body: Buffer.concat(chunks) }) })
}
