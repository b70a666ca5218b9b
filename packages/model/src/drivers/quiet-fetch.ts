import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'

/** A GET as fetch does it, whose connection does not keep the process alive: for what is open as long as the process runs. */
export const quietFetch: typeof fetch = (input, { headers, signal } = {}) =>
  new Promise((resolve, reject) => {
    const url = new URL(String(input))
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const options = { headers: Object.fromEntries(new Headers(headers)), agent: false, ...(signal && { signal }) }
    const asked = request(url, options, answer => resolve(responseOf(answer)))
    asked.on('socket', socket => socket.unref())
    asked.on('error', reject)
    asked.end()
  })

function responseOf(answer: IncomingMessage): Response {
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  // A connection that breaks ends the body with an error; nobody may be reading it then.
  answer.on('error', () => {})
  const status = answer.statusCode ?? 500
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), { status, headers })
}
