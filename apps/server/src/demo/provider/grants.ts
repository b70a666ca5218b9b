import { createHash, randomBytes } from 'node:crypto'
import type { Person } from './people.js'

/** A sign-in of a person for an app. */
export interface Grant {
  readonly client: string
  readonly person: Person
  readonly nonce: string | undefined
}

/** What an authorization request binds its code to. */
export interface CodeTerms {
  readonly redirectUri: string
  /** The PKCE challenge: S256. */
  readonly challenge: string
}

/** A code as an app redeems it. */
export interface RedeemedCode {
  readonly code: string
  readonly client: string
  readonly redirectUri: string
  readonly verifier: string
}

/** Milliseconds for which a code may be redeemed. */
const CODE_LIFE = 60_000
const CAPACITY = 1000

/** Authorization codes and refresh tokens, each of which is used once. They live as long as the process. */
export class Grants {
  readonly #clock: () => number
  readonly #codes = new Map<string, Grant & CodeTerms & { readonly until: number }>()
  readonly #refreshTokens = new Map<string, Grant>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  newCode(grant: Grant, terms: CodeTerms): string {
    return added(this.#codes, { ...grant, ...terms, until: this.#clock() + CODE_LIFE })
  }

  /** Returns the grant of a code; undefined for one that is unknown, old, used or another app's. */
  redeem({ code, client, redirectUri, verifier }: RedeemedCode): Grant | undefined {
    const found = taken(this.#codes, code)
    if (found === undefined || found.until <= this.#clock()) return undefined
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const fits = found.client === client && found.redirectUri === redirectUri && found.challenge === challenge
    return fits ? found : undefined
  }

  newRefreshToken({ client, person }: Grant): string {
    return added(this.#refreshTokens, { client, person, nonce: undefined })
  }

  /** Returns the grant of a refresh token; undefined for one that is unknown, used or another app's. */
  refresh(token: string, client: string): Grant | undefined {
    const found = taken(this.#refreshTokens, token)
    return found?.client === client ? found : undefined
  }
}

/** Adds a value under a new secret; the oldest makes room. */
function added<T>(values: Map<string, T>, value: T): string {
  const secret = randomBytes(24).toString('base64url')
  values.set(secret, value)
  for (const oldest of values.keys()) {
    if (values.size <= CAPACITY) break
    values.delete(oldest)
  }
  return secret
}

function taken<T>(values: Map<string, T>, secret: string): T | undefined {
  const value = values.get(secret)
  values.delete(secret)
  return value
}
