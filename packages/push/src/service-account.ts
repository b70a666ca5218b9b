import { type CryptoKey, importPKCS8, SignJWT } from 'jose'
import { invalidOption, refusedBy } from './refused.js'

/** The members of a Google service account's key file that FCM needs. */
export interface ServiceAccount {
  readonly project_id: string
  readonly client_email: string
  /** PKCS #8 in PEM. */
  readonly private_key: string
  /** Where access tokens are requested. Default `https://oauth2.googleapis.com/token`. */
  readonly token_uri?: string
}

const MEMBERS = ['project_id', 'client_email', 'private_key'] as const

/** Reads the JSON text of a service account's key file. Throws `value_not_allowed`; the message never contains the key. */
export function readServiceAccount(text: string): ServiceAccount {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidOption('fcm.account', 'the JSON of a service account', `${text.length} characters of another form`)
  }
  const account = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const missing = MEMBERS.filter(name => typeof account[name] !== 'string' || account[name] === '')
  if (missing.length > 0)
    throw invalidOption('fcm.account', 'the JSON of a service account', `one without ${missing.join(', ')}`)
  return account as unknown as ServiceAccount
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
/** Seconds before its end from which an access token is replaced. */
const MARGIN = 60

interface AccessToken {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly until: number
}

export interface AccessTokensOptions {
  readonly account: ServiceAccount
  readonly fetch: typeof fetch
  readonly clock: () => number
}

/** The access tokens of a service account: requested once for all messages, and again before they expire (RFC 7523). */
export class AccessTokens {
  readonly #options: AccessTokensOptions
  #key: Promise<CryptoKey> | undefined
  #current: Promise<AccessToken> | undefined

  constructor(options: AccessTokensOptions) {
    this.#options = options
  }

  /** Returns a token that is valid for at least a minute. Callers at the same time share one request. */
  async get(): Promise<string> {
    const known = this.#current
    const current = await known?.catch(() => undefined)
    if (current && current.until > this.#options.clock()) return current.token
    // The first of those that waited requests the next one.
    if (this.#current === known || this.#current === undefined) this.#current = this.#request()
    return (await this.#current).token
  }

  /** Makes the next call request a new token, unless the token was replaced meanwhile. */
  async forget(token: string): Promise<void> {
    const current = await this.#current?.catch(() => undefined)
    if (current?.token === token) this.#current = undefined
  }

  /** Not aborted with one message, since others wait for it; bounded by its own time limit. */
  async #request(): Promise<AccessToken> {
    const { fetch, account, clock } = this.#options
    const uri = account.token_uri ?? TOKEN_URI
    const response = await fetch(uri, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: await this.#assertion(uri),
      }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    if (!response.ok) throw refusedBy('Google', response.status, `no access token: ${reasonOf(text)}`)
    const { access_token: token, expires_in: seconds = 3600 } = JSON.parse(text) as {
      readonly access_token?: string
      readonly expires_in?: number
    }
    if (typeof token !== 'string') throw refusedBy('Google', response.status, 'expected an access token, got none')
    return { token, until: clock() + Math.max(1, seconds - MARGIN) * 1000 }
  }

  async #assertion(uri: string): Promise<string> {
    const { account, clock } = this.#options
    this.#key ??= importPKCS8(account.private_key, 'RS256').catch(() => {
      throw invalidOption('fcm.account', 'a private_key in PKCS #8', 'another text')
    })
    const now = Math.floor(clock() / 1000)
    return new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(uri)
      .setIssuedAt(now)
      .setExpirationTime(now + 3600)
      .sign(await this.#key)
  }
}

/** Returns the description in an OAuth error, or the text. */
function reasonOf(text: string): string {
  try {
    const { error_description: description, error } = JSON.parse(text) as Record<string, unknown>
    return String(description ?? error ?? text)
  } catch {
    return text
  }
}
