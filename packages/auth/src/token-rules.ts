import { SyncError } from '@godwit/protocol'
import type { Claims } from '@godwit/source'
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { kindOf, settingError } from './setting-error.js'
import { tokenError, tokenInvalid } from './token-errors.js'

/** What a token must fulfil. */
export interface TokenRules {
  /** The `iss` claim, exactly. */
  readonly issuer: string
  /** The `aud` claim: one of these. `false`: tokens without an audience are accepted, so `check` has to tell those of other apps apart. */
  readonly audience: string | readonly string[] | false
  /** Allowed signature algorithms. Default: all public-key ones; `HS256` with a secret. */
  readonly algorithms?: readonly string[]
  /** Seconds by which clocks may differ. Default 30. */
  readonly clockTolerance?: number
  /** Further checks of the claims, such as of `azp`. Default: none. */
  readonly check?: (claims: Claims) => boolean
}

/** The algorithms of public keys. A secret-key algorithm is never among them, since a public key would be accepted as its secret. */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** The algorithms of secrets. */
export const SECRET_ALGORITHMS: readonly string[] = ['HS256', 'HS384', 'HS512']

/** The longest token in characters. */
const MAX_TOKEN = 12_288
const MAX_TOLERANCE = 300

/** Throws `value_not_allowed` for rules that do not fit. */
export function checkTokenRules(name: string, rules: TokenRules, possible: readonly string[]): void {
  const { issuer, audience, algorithms = [], clockTolerance = 30, check } = rules
  if (typeof issuer !== 'string' || issuer === '') throw settingError(`${name}.issuer`, 'a text', kindOf(issuer))
  if (
    audience !== false &&
    (audience.length === 0 || ![audience].flat().every(one => typeof one === 'string' && one !== ''))
  )
    throw settingError(`${name}.audience`, 'a text, texts, or false', kindOf(audience))
  const other = algorithms.find(algorithm => !possible.includes(algorithm))
  if (other !== undefined)
    throw settingError(`${name}.algorithms`, `some of ${possible.join(', ')}`, JSON.stringify(other))
  if (typeof clockTolerance !== 'number' || !(clockTolerance >= 0 && clockTolerance <= MAX_TOLERANCE))
    throw settingError(`${name}.clockTolerance`, `seconds from 0 to ${MAX_TOLERANCE}`, String(clockTolerance))
  if (check !== undefined && typeof check !== 'function')
    throw settingError(`${name}.check`, 'a function', kindOf(check))
}

/** Returns the `iss` claim of a token, unverified; undefined if it cannot be read. */
export function issuerOf(token: string): string | undefined {
  if (token.length > MAX_TOKEN) return undefined
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly iss?: unknown
    }
    return typeof claims.iss === 'string' ? claims.iss : undefined
  } catch {
    return undefined
  }
}

interface Verification {
  readonly rules: TokenRules
  readonly key: Uint8Array | JWTVerifyGetKey
  /** Milliseconds since 1970. */
  readonly now: number
  readonly algorithms: readonly string[]
}

/** Verifies signature, issuer, audience, times and the further check. Returns the claims. */
export async function verifyToken(token: string, { rules, key, now, algorithms }: Verification): Promise<Claims> {
  const { issuer, audience, clockTolerance = 30, check = () => true } = rules
  const options: JWTVerifyOptions = {
    issuer,
    ...(audience !== false && { audience: [audience].flat() }),
    algorithms: [...(rules.algorithms ?? algorithms)],
    clockTolerance,
    currentDate: new Date(now),
    requiredClaims: ['exp', 'sub'],
  }
  const claims = await verified(token, key, options)
  if (typeof claims['sub'] !== 'string' || claims['sub'] === '') throw tokenInvalid('its claim sub does not fit')
  if (!isAccepted(check, claims)) throw tokenInvalid('the check of the server refused its claims')
  return claims
}

async function verified(token: string, key: Verification['key'], options: JWTVerifyOptions): Promise<Claims> {
  // Loaded with the first token, since most servers accept none.
  const { jwtVerify } = await import('jose')
  try {
    const { payload } =
      typeof key === 'function' ? await jwtVerify(token, key, options) : await jwtVerify(token, key, options)
    return payload
  } catch (cause) {
    throw tokenError(cause)
  }
}

function isAccepted(check: (claims: Claims) => boolean, claims: Claims): boolean {
  try {
    return check(claims) === true
  } catch (cause) {
    throw new SyncError('internal', 'The check of claims failed on the server. Ask an admin.', { cause })
  }
}
