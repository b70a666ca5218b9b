import type { Agent } from 'node:https'
import { SyncError } from '@godwit/protocol'
import type { GuardedFetch } from '@godwit/source'
import { https } from '../../base/node-http.js'
import type { AddressGuard } from './address-guard.js'

/** The most bytes of a response: push services answer with a line. */
const MAX_BYTES = 64 * 1024

/** Requests https addresses that devices choose, through the address guard, over connections of its own. */
export class GuardedClient {
  readonly #guard: AddressGuard
  readonly #agent: Agent

  constructor(guard: AddressGuard) {
    this.#guard = guard
    // Not the global agent, whose open sockets were not checked.
    this.#agent = new https.Agent({ keepAlive: true, lookup: guard.lookup })
  }

  /** Sends a request and follows no redirect. Rejects with `url_not_allowed` for an address that is not allowed. */
  readonly fetch: GuardedFetch = async (text, { method, headers, body, signal }) => {
    const url = this.#check(text)
    return new Promise((resolve, reject) => {
      const request = https.request(url, { method, headers, agent: this.#agent, signal }, response => {
        const parts: Buffer[] = []
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > MAX_BYTES)
            request.destroy(new Error(`expected a response of at most ${MAX_BYTES} bytes, got more`))
          else parts.push(part)
        })
        response.on('error', reject)
        response.on('end', () => {
          const status = response.statusCode ?? 0
          const received = new Headers()
          for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value))
          resolve(new Response(NO_BODY.has(status) ? null : Buffer.concat(parts), { status, headers: received }))
        })
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  /** The endpoints of some push services have a query, which addresses of backends do not. */
  #check(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol !== 'https:')
      throw new SyncError('url_not_allowed', `expected an https address, got ${url?.protocol ?? 'another text'}.`)
    const bare = new URL(url)
    bare.search = ''
    bare.hash = ''
    this.#guard.checkUrl(bare.href)
    return url
  }
}

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])
