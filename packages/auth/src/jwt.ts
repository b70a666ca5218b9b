import type { ProviderTools, TokenProvider, TokenVerifier } from '@godwit/source'
import type { JWTVerifyGetKey } from 'jose'
import { checkAddress } from './check-address.js'
import { fetchJson } from './fetch-json.js'
import { finderOf, KeySet, readKeys } from './key-set.js'
import { kindOf, settingError } from './setting-error.js'
import {
  checkTokenRules,
  issuerOf,
  PUBLIC_KEY_ALGORITHMS,
  SECRET_ALGORITHMS,
  type TokenRules,
  verifyToken,
} from './token-rules.js'
import { checkUserRules, type UserRules, userOf } from './user-rules.js'

/** Options of `jwt`. Exactly one of `jwks` and `secret` is required. */
export interface JwtOptions extends TokenRules, UserRules {
  /** The issuer's public keys: the address of its key set, or the key set itself. */
  readonly jwks?: string | { readonly keys: readonly object[] }
  /** The secret that the issuer signs with, as UTF-8: at least 32 bytes. */
  readonly secret?: string
}

const MIN_SECRET = { HS256: 32, HS384: 48, HS512: 64 } as const

/** Accepts JSON Web Tokens of an issuer that is not found by OpenID Connect. Throws `value_not_allowed` for options that do not fit. */
export function jwt(options: JwtOptions): TokenProvider {
  const { jwks, secret, issuer } = options
  if ((jwks === undefined) === (secret === undefined))
    throw settingError('jwt', 'either jwks or secret', jwks === undefined ? 'none' : 'both')
  const possible = secret === undefined ? PUBLIC_KEY_ALGORITHMS : SECRET_ALGORITHMS
  const algorithms = options.algorithms ?? (secret === undefined ? PUBLIC_KEY_ALGORITHMS : ['HS256'])
  checkTokenRules('jwt', options, possible)
  checkUserRules('jwt', options)
  if (secret !== undefined) checkSecret(secret, algorithms)
  if (typeof jwks === 'string') checkAddress('jwt.jwks', jwks)
  return {
    kind: 'tokens',
    issuer,
    open: tools => verifierOf(options, algorithms, tools),
  }
}

function verifierOf(options: JwtOptions, algorithms: readonly string[], tools: ProviderTools): TokenVerifier {
  const { issuer } = options
  const { key, checkKeys } = keysOf(options, tools)
  return {
    issuer,
    accepts: token => issuerOf(token) === issuer,
    verify: async token =>
      userOf(await verifyToken(token, { rules: options, key, algorithms, now: tools.clock() }), options),
    checkKeys,
    console: undefined,
  }
}

function keysOf({ jwks, secret }: JwtOptions, { fetch, clock, log }: ProviderTools) {
  if (secret !== undefined) return { key: new TextEncoder().encode(secret), checkKeys: async () => 1 }
  if (typeof jwks === 'string') {
    const keys = new KeySet({ load: () => fetchJson(fetch, jwks), clock, log })
    return { key: keys.find, checkKeys: () => keys.check() }
  }
  const keys = readKeys({ keys: jwks?.keys })
  let finder: Promise<JWTVerifyGetKey> | undefined
  const key: JWTVerifyGetKey = async (header, token) => {
    finder ??= finderOf(keys)
    return (await finder)(header, token)
  }
  return { key, checkKeys: async () => keys.length }
}

function checkSecret(secret: string, algorithms: readonly string[]): void {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret).length : 0
  const least = Math.max(...algorithms.map(algorithm => MIN_SECRET[algorithm as keyof typeof MIN_SECRET]))
  if (bytes < least)
    throw settingError(
      'jwt.secret',
      `at least ${least} bytes`,
      typeof secret === 'string' ? `${bytes}` : kindOf(secret),
    )
}
