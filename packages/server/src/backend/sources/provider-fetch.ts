import type { Agent, IncomingMessage } from 'node:http'
import type { Agent as SecureAgent } from 'node:https'
import { SyncError } from '@godwit/protocol'
import type { ProviderFetch, ProviderRequest, ProviderResponse } from '@godwit/source'
import { http, https } from '../../base/node-http.js'
import { AddressGuard, type GuardOptions } from './address-guard.js'

/** Requests to identity providers: only to allowed addresses, with a limit of time and size, and without following redirects. */
export class ProviderClient {
  readonly #guard: AddressGuard
  readonly #agents: { readonly http: Agent; readonly https: SecureAgent }

  constructor(guard: AddressGuard) {
    const { lookup } = guard
    this.#guard = guard
    this.#agents = { http: new http.Agent({ lookup }), https: new https.Agent({ lookup }) }
  }

  /** Throws `url_not_allowed` for an address that the server may not call, and `backend_failed` without a complete response in time. */
  readonly fetch: ProviderFetch = async (text, request = { maxBytes: 0, timeout: 0 }) => {
    const url = this.#checkAddress(text)
    const signal = AbortSignal.timeout(request.timeout)
    try {
      return await this.#send(url, request, signal)
    } catch (cause) {
      const reason = signal.aborted ? `no complete response within ${request.timeout} ms` : (cause as Error).message
      throw new SyncError('backend_failed', `The identity provider could not be reached: ${reason}.`, { cause })
    }
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** Allows a query, which the address of a key set may have. */
  #checkAddress(text: string): URL {
    const search = URL.canParse(text) ? new URL(text).search : ''
    const url = this.#guard.checkUrl(search === '' ? text : text.replace(search, ''))
    url.search = search
    return url
  }

  #send(url: URL, { form, headers, maxBytes }: ProviderRequest, signal: AbortSignal): Promise<ProviderResponse> {
    const isHttps = url.protocol === 'https:'
    const body = form && new URLSearchParams(form).toString()
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      agent: isHttps ? this.#agents.https : this.#agents.http,
      signal,
    }
    return new Promise((resolve, reject) => {
      const request = (isHttps ? https : http).request(url, options, response => {
        readText(response, maxBytes).then(text => resolve({ status: response.statusCode ?? 0, body: text }), reject)
      })
      request.on('error', reject)
      request.end(body)
    })
  }
}

/** Returns requests with the address rules of a server, for checks without one. Close it when done. */
export const providerFetch = (options: GuardOptions): Pick<ProviderClient, 'fetch' | 'close'> =>
  new ProviderClient(new AddressGuard(options))

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
