import { SyncError } from '@godwit/protocol'
import type { ProviderTools } from '@godwit/source'
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import { codeOf, NO_MATCHING_KEY } from './token-errors.js'

/** Milliseconds between two fetches, whatever their result and cause. */
export const COOL_DOWN = 30_000
/** Milliseconds after which keys are fetched again while they are in use, so that a withdrawn key is no longer accepted. */
export const MAX_AGE = 10 * 60_000
/** Milliseconds for which keys are used while the issuer cannot be reached. */
export const MAX_STALE = 60 * 60_000
const MAX_KEYS = 100
/** Types of public keys. A secret (`oct`) in a public document would be known to everyone. */
const KEY_TYPES: readonly unknown[] = ['RSA', 'EC', 'OKP']

export interface KeySetParts extends Pick<ProviderTools, 'clock' | 'log'> {
  /** Fetches the JSON Web Key Set. */
  readonly load: () => Promise<{ readonly [name: string]: unknown }>
}

interface LoadedKeys {
  readonly find: JWTVerifyGetKey
  readonly count: number
  readonly at: number
}

/**
 * The public keys of an issuer. They are fetched when they are first needed, when they are old, and when a token names an unknown one; never more
 * often than every 30 seconds, so that tokens with invented key ids cannot make the server flood the issuer.
 */
export class KeySet {
  readonly #parts: KeySetParts
  #keys: LoadedKeys | undefined
  #fetching: Promise<LoadedKeys> | undefined
  #triedAt = Number.NEGATIVE_INFINITY

  constructor(parts: KeySetParts) {
    this.#parts = parts
  }

  /** Returns the key of a token, as `jwtVerify` asks for it. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = this.#keys
    const keys = await this.#current()
    try {
      return await keys.find(header, token)
    } catch (error) {
      if (codeOf(error) !== NO_MATCHING_KEY || keys !== known) throw error
      const newer = this.#fetching ?? (this.#wait() === 0 ? this.#fetch() : undefined)
      if (newer === undefined) throw this.#tooEarly()
      return (await newer).find(header, token)
    }
  }

  /** Fetches the keys now and returns how many there are. */
  async check(): Promise<number> {
    return (await (this.#fetching ?? this.#fetch())).count
  }

  /** Returns the known keys; waits for the issuer only if there are none that may be used. */
  async #current(): Promise<LoadedKeys> {
    const age = this.#keys === undefined ? Number.POSITIVE_INFINITY : Math.abs(this.#parts.clock() - this.#keys.at)
    if (age > MAX_AGE && this.#fetching === undefined && this.#wait() === 0) this.#fetch().catch(() => {})
    if (this.#keys !== undefined && age <= MAX_STALE) return this.#keys
    if (this.#fetching === undefined) throw unreachable(this.#wait())
    return this.#fetching
  }

  #fetch(): Promise<LoadedKeys> {
    const { clock, log, load } = this.#parts
    this.#triedAt = clock()
    this.#fetching = load()
      .then(async document => {
        const keys = readKeys(document)
        this.#keys = { find: await finderOf(keys), count: keys.length, at: clock() }
        return this.#keys
      })
      .catch(error => {
        log.warn({ error: messageOf(error) }, 'the keys of the identity provider could not be fetched')
        throw error
      })
      .finally(() => {
        this.#fetching = undefined
      })
    return this.#fetching
  }

  /** Milliseconds until the next fetch is allowed. */
  #wait(): number {
    const passed = this.#parts.clock() - this.#triedAt
    return passed >= 0 && passed < COOL_DOWN ? COOL_DOWN - passed : 0
  }

  #tooEarly(): SyncError {
    const retryAfter = Math.ceil(this.#wait() / 1000)
    return new SyncError(
      'too_many_attempts',
      `The key of the token is unknown, and the keys of the issuer were fetched just now. Try again in ${retryAfter} s.`,
      { details: { retryAfter } },
    )
  }
}

const unreachable = (wait: number): SyncError =>
  new SyncError('backend_failed', 'The keys of the identity provider could not be fetched. Try again.', {
    details: { retryAfter: Math.max(1, Math.ceil(wait / 1000)) },
  })

/** Reads a key set and drops what cannot verify signatures. */
export function readKeys({ keys }: { readonly [name: string]: unknown }): JSONWebKeySet['keys'] {
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new SyncError(
      'backend_failed',
      `expected at most ${MAX_KEYS} keys from the identity provider, got ${Array.isArray(keys) ? keys.length : 'none'}.`,
    )
  return keys.filter(isUsable)
}

/** Returns what finds the key of a token among these. */
export async function finderOf(keys: JSONWebKeySet['keys']): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet } = await import('jose')
  return createLocalJWKSet({ keys })
}

const isUsable = (key: unknown): key is JSONWebKeySet['keys'][number] =>
  typeof key === 'object' &&
  key !== null &&
  KEY_TYPES.includes((key as { readonly kty?: unknown }).kty) &&
  (key as { readonly use?: unknown }).use !== 'enc'

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
