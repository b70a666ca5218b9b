import { SyncError } from '@godwit/protocol'
import type { ProviderTools } from '@godwit/source'
import { checkAddress } from './check-address.js'
import { fetchJson } from './fetch-json.js'

/** Milliseconds after which the configuration is fetched again. */
const MAX_AGE = 60 * 60_000

/** The addresses of an OpenID provider. */
export interface ProviderAddresses {
  readonly keys: string
  /** Undefined if the provider has no authorization code flow. */
  readonly authorization: string | undefined
  readonly token: string | undefined
  /** True if the provider wants the client secret in the body. */
  readonly secretInBody: boolean
}

/** Reads the OpenID configuration of an issuer, and keeps it for an hour. */
export class Discovery {
  readonly #issuer: string
  readonly #tools: Pick<ProviderTools, 'fetch' | 'clock'>
  #known: { readonly addresses: ProviderAddresses; readonly at: number } | undefined

  constructor(issuer: string, tools: Pick<ProviderTools, 'fetch' | 'clock'>) {
    this.#issuer = issuer
    this.#tools = tools
  }

  /** Returns the addresses. Throws `backend_failed` if they cannot be fetched, or are those of another issuer. */
  async addresses(): Promise<ProviderAddresses> {
    const { fetch, clock } = this.#tools
    if (this.#known !== undefined && Math.abs(clock() - this.#known.at) < MAX_AGE) return this.#known.addresses
    const url = `${this.#issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const addresses = this.#read(await fetchJson(fetch, url))
    this.#known = { addresses, at: clock() }
    return addresses
  }

  #read(document: { readonly [name: string]: unknown }): ProviderAddresses {
    const { issuer, jwks_uri, authorization_endpoint, token_endpoint, token_endpoint_auth_methods_supported } = document
    if (issuer !== this.#issuer) throw wrongConfiguration(`the issuer ${this.#issuer}`, issuer)
    const methods = Array.isArray(token_endpoint_auth_methods_supported) ? token_endpoint_auth_methods_supported : []
    return {
      keys: addressOf('jwks_uri', jwks_uri),
      authorization: optionalAddress('authorization_endpoint', authorization_endpoint),
      token: optionalAddress('token_endpoint', token_endpoint),
      secretInBody: methods.includes('client_secret_post') && !methods.includes('client_secret_basic'),
    }
  }
}

const optionalAddress = (name: string, value: unknown): string | undefined =>
  value === undefined ? undefined : addressOf(name, value)

function addressOf(name: string, value: unknown): string {
  try {
    checkAddress(name, value)
    return value as string
  } catch {
    throw wrongConfiguration(`an https address as ${name}`, value)
  }
}

const wrongConfiguration = (expected: string, got: unknown): SyncError =>
  new SyncError('backend_failed', 'The identity provider could not be reached. Try again.', {
    cause: new Error(`its configuration: expected ${expected}, got ${JSON.stringify(got)}`),
  })
