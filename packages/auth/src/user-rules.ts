import { type Attributes, type AttributeValue, SyncError } from '@godwit/protocol'
import type { Claims, VerifiedUser } from '@godwit/source'
import { kindOf, settingError } from './setting-error.js'

/** How a user is read from claims. */
export interface UserRules {
  /**
   * The login of the user: the name of a claim, or a function of the claims. A function that returns undefined refuses the token. Default `sub`. With
   * `email`, a token whose `email_verified` is false is refused.
   */
  readonly login?: string | ((claims: Claims) => string | undefined)
  /** Claims that become attributes of the user at each login. A dot leads into an object: `realm_access.roles`. Default: none. */
  readonly attributes?: readonly string[]
}

/** Throws `value_not_allowed` for rules that do not fit. */
export function checkUserRules(name: string, { login = 'sub', attributes = [] }: UserRules): void {
  if (typeof login !== 'function' && (typeof login !== 'string' || login === ''))
    throw settingError(`${name}.login`, 'the name of a claim or a function', kindOf(login))
  if (!Array.isArray(attributes) || !attributes.every(claim => typeof claim === 'string' && claim !== ''))
    throw settingError(`${name}.attributes`, 'an array of names of claims', kindOf(attributes))
  const reserved = attributes.find(claim => claim === 'login' || claim === 'password')
  if (reserved !== undefined)
    throw settingError(`${name}.attributes`, 'names other than login and password', JSON.stringify(reserved))
}

/** Reads the user from verified claims. Throws `token_invalid` if they give no login. */
export function userOf(claims: Claims, { login = 'sub', attributes = [] }: UserRules): VerifiedUser {
  const { iss, sub, exp } = claims as { readonly iss: string; readonly sub: string; readonly exp: number }
  return {
    issuer: iss,
    subject: sub,
    login: loginOf(claims, login),
    attributes: Object.fromEntries(attributes.map(path => [path, valueAt(claims, path)])) as Attributes,
    expiresAt: exp * 1000,
  }
}

function loginOf(claims: Claims, rule: NonNullable<UserRules['login']>): string {
  if (rule === 'email' && claims['email_verified'] === false)
    throw new SyncError(
      'token_invalid',
      'expected a verified email, got "email_verified": false. Verify the address first.',
    )
  const login = typeof rule === 'function' ? rule(claims) : claims[rule]
  if (typeof login === 'string' && login !== '') return login
  const where = typeof rule === 'function' ? 'from the login function' : `in the claim ${rule}`
  throw new SyncError('token_invalid', `expected a login ${where} of the token, got ${kindOf(login)}.`)
}

/** Returns a claim as JSON, `null` if it is missing. A claim with dots in its own name comes first: `https://app.example/org`. */
export function valueAt(claims: Claims, path: string): AttributeValue {
  if (Object.hasOwn(claims, path)) return claims[path] as AttributeValue
  let value: unknown = claims
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Claims)[name]
  }
  return (value ?? null) as AttributeValue
}
