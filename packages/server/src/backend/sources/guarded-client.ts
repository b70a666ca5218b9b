import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Agent as SecureAgent } from 'node:https'
import { SyncError } from '@godwit/protocol'
import type { GuardedFetch, GuardedRequest, GuardedResponse } from '@godwit/source'
import { http, https } from '../../base/node-http.js'
import { AddressGuard, type GuardOptions } from './address-guard.js'

/** The most bytes of a response: push services answer with a line. */
const MAX_BYTES = 64 * 1024
/** Milliseconds after which an unused connection is closed, before the other side does so during a request. */
const IDLE = 4000

/** Requests addresses that another party chose, through the address guard, over separate connections. */
export class GuardedClient {
  readonly #guard: AddressGuard
  readonly #agents: { readonly http: Agent; readonly https: SecureAgent }

  constructor(guard: AddressGuard) {
    this.#guard = guard
    // Not the global agents, whose open sockets were not checked.
    const options = { keepAlive: true, timeout: IDLE, lookup: guard.lookup }
    this.#agents = { http: new http.Agent(options), https: new https.Agent(options) }
  }

  readonly fetch: GuardedFetch = async (text, request) => this.#send(this.#check(text), request)

  /** For addresses that devices choose: refuses all but https. */
  readonly secureFetch: GuardedFetch = async (text, request) => {
    const url = this.#check(text)
    if (url.protocol === 'https:') return this.#send(url, request)
    throw new SyncError('url_not_allowed', `expected an https address, got ${url.protocol}`)
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** Allows a query, which addresses of backends do not have. */
  #check(text: string): URL {
    if (!URL.canParse(text)) return this.#guard.checkUrl(text)
    const url = new URL(text)
    const { search } = url
    url.search = ''
    const checked = this.#guard.checkUrl(url.href)
    checked.search = search
    return checked
  }

  #send(url: URL, { body, method, headers, signal, maxBytes = MAX_BYTES }: GuardedRequest): Promise<GuardedResponse> {
    const isHttps = url.protocol === 'https:'
    const options = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      agent: isHttps ? this.#agents.https : this.#agents.http,
      signal,
    }
    return new Promise((resolve, reject) => {
      const request = (isHttps ? https : http).request(url, options, response => {
        const { statusCode: status = 0, headers } = response
        readText(response, maxBytes).then(text => resolve({ status, headers: textsOf(headers), body: text }), reject)
      })
      request.on('error', reject)
      request.end(body)
    })
  }
}

/** Returns a client with the address rules of a server, for checks without one. Close it when done. */
export const guardedClient = (options: GuardOptions): Pick<GuardedClient, 'fetch' | 'close'> =>
  new GuardedClient(new AddressGuard(options))

const textsOf = (headers: IncomingHttpHeaders): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBytes) {
      response.destroy()
      throw new Error(`expected at most ${maxBytes} bytes, got more`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
