import type { Agent, OutgoingHttpHeaders } from 'node:http'
import type { Agent as SecureAgent } from 'node:https'
import {
  type AnyBackendCall,
  BACKEND_SIGNATURE_HEADER,
  type BackendOperation,
  IDEMPOTENCY_KEY_HEADER,
  SyncError,
} from '@godwit/protocol'
import { signCall } from '@godwit/source'
import type { Store } from '@godwit/store'
import { http, https } from '../../base/node-http.js'
import type { AddressGuard } from './address-guard.js'
import { addressInUse } from './app-server.js'
import type { BackendAnswer } from './backend-answer.js'
import { ownSecret } from './backend-secret.js'

/** How to call a plugin backend. */
export interface BackendOptions {
  /** The backend's address, `http://127.0.0.1:9000`. Default: the one that was set with POST /rc/v1/system/appserver. */
  readonly url?: string
  /** The secret shared with the backend, which signs calls. At least 16 characters. Default: the server makes one and stores it. */
  readonly secret?: string
  /** The path between address and operation. Default `/sync`; older plugins use `/rhoconnect`. */
  readonly prefix?: string
}

/** The dependencies of a `PluginBackend`. */
export interface BackendParts {
  /** What the configuration says of the backend; undefined if it names none. */
  readonly options: BackendOptions | undefined
  readonly guard: AddressGuard
  readonly store: Pick<Store, 'registry'>
  readonly clock: () => number
  /** Random text of 128 bits or more. */
  readonly randomId: () => string
}

export type BackendBody<Call = AnyBackendCall> = Call extends AnyBackendCall ? Omit<Call, 'operation'> : never

/** An HTTP backend in any language. Calls are signed, go only to allowed addresses, and follow no redirect. */
export class PluginBackend {
  readonly #parts: BackendParts
  readonly #agents: { readonly http: Agent; readonly https: SecureAgent }

  constructor(parts: BackendParts) {
    const { options = {} } = parts
    const { url, secret, prefix = '/sync' } = options
    if ('url' in options && (typeof url !== 'string' || !/^https?:\/\/./.test(url)))
      throw new SyncError(
        'value_not_allowed',
        `backend.url: expected an address http://… or https://…, got ${typeof url === 'string' ? 'another text' : typeof url}.`,
      )
    if ('secret' in options && (typeof secret !== 'string' || secret.length < 16)) {
      throw new SyncError(
        'value_not_allowed',
        `backend.secret: expected a text of at least 16 characters, got ${typeof secret === 'string' ? `one of ${secret.length}` : typeof secret}.`,
      )
    }
    if (!/^(\/[\w.~-]+)*$/.test(prefix)) {
      throw new SyncError(
        'value_not_allowed',
        `backend.prefix: expected a path like /sync, got ${JSON.stringify(prefix)}.`,
      )
    }
    this.#parts = parts
    // Not the global agents, whose open sockets were not checked.
    const { lookup } = parts.guard
    this.#agents = {
      http: new http.Agent({ keepAlive: true, lookup }),
      https: new https.Agent({ keepAlive: true, lookup }),
    }
  }

  /** True if the configuration names a backend. */
  get isConfigured(): boolean {
    return this.#parts.options !== undefined
  }

  /** The address that the configuration sets; undefined if it leaves it to operators. */
  get configuredUrl(): string | undefined {
    return this.#parts.options?.url
  }

  /** True if calls are signed with the secret that the server made. */
  get hasOwnSecret(): boolean {
    return this.#parts.options?.secret === undefined
  }

  /** Returns the address to call. */
  async address(): Promise<string | undefined> {
    return (await addressInUse(this.#parts, this.#parts.options)) ?? undefined
  }

  /**
   * Sends one call and resolves with the response, whatever its status. Rejects if no address is set, it is not allowed, or the backend cannot be
   * reached.
   */
  async send<Operation extends BackendOperation>(
    operation: Operation,
    given: BackendBody<Extract<AnyBackendCall, { readonly operation: Operation }>>,
    signal?: AbortSignal,
  ): Promise<BackendAnswer> {
    const { options: { prefix = '/sync', secret = await ownSecret(this.#parts) } = {}, clock } = this.#parts
    const address = await this.address()
    // `refused`, since certainly no backend was called.
    if (address === undefined)
      throw new SyncError('refused', 'No backend address is set. Set it with POST /rc/v1/system/appserver.')
    const url = this.#checkAddress(address)
    url.pathname = `${url.pathname.replace(/\/$/, '')}${prefix}/${operation}`
    const body = JSON.stringify({ operation, ...given })
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, application/x-ndjson, text/plain',
      'content-length': Buffer.byteLength(body),
      [BACKEND_SIGNATURE_HEADER]: await signCall({ secret, time: Math.floor(clock() / 1000), body }),
      ...('idempotency_key' in given && { [IDEMPOTENCY_KEY_HEADER]: String(given.idempotency_key) }),
    }
    return this.#post(url, headers, body, signal)
  }

  #checkAddress(address: string): URL {
    try {
      return this.#parts.guard.checkUrl(address)
    } catch (cause) {
      throw unreachableError(cause)
    }
  }

  #post(url: URL, headers: OutgoingHttpHeaders, body: string, signal?: AbortSignal): Promise<BackendAnswer> {
    const isHttps = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const request = (isHttps ? https : http).request(
        url,
        { method: 'POST', headers, agent: isHttps ? this.#agents.https : this.#agents.http, ...(signal && { signal }) },
        resolve,
      )
      request.on('error', cause => reject(unreachableError(cause)))
      request.end(body)
    })
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }
}

/** The message goes to devices, so address and details are only in the cause, which is logged. */
const unreachableError = (cause: unknown): Error =>
  new SyncError('backend_failed', 'The backend could not be reached. Check that it is running.', { cause })
