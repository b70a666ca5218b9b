import { oidc, passwords } from '@godwit/auth'
import { API_ROLES, type ApiRole, SyncError } from '@godwit/protocol'
import type { AuthProvider } from '@godwit/server'
import type { Environment } from './environment.js'
import { secretOf } from './secret-of.js'

/** Reads what devices and operators sign in with, from `SYNC_OIDC_…`; undefined if no issuer is set. Throws `value_not_allowed`. */
export function authOf(environment: Environment): readonly AuthProvider[] | undefined {
  const read = (name: string): string | undefined => environment[`SYNC_OIDC_${name}`]?.trim() || undefined
  const issuer = read('ISSUER')
  const audience = listOf(read('AUDIENCE'))
  const login = read('LOGIN')
  const attributes = listOf(read('ATTRIBUTES'))
  const acceptsPasswords = !/^(0|false|no|off)$/i.test(read('PASSWORDS') ?? 'true')
  const console = consoleOf(read, secretOf(environment, 'SYNC_OIDC_CLIENT_SECRET')?.trim())
  if (issuer === undefined) {
    if (audience.length > 0 || console !== undefined)
      throw settingError('SYNC_OIDC_ISSUER', 'the address of the issuer, got none')
    return undefined
  }
  if (audience.length === 0) throw settingError('SYNC_OIDC_AUDIENCE', 'the audience of the tokens, got none')
  const provider = oidc({
    issuer,
    audience,
    attributes,
    ...(login !== undefined && { login }),
    ...(console !== undefined && { console }),
  })
  return [...(acceptsPasswords ? [passwords()] : []), provider]
}

function consoleOf(read: (name: string) => string | undefined, clientSecret: string | undefined) {
  const clientId = read('CLIENT_ID')
  const claim = read('ROLE_CLAIM') ?? 'roles'
  const roles = rolesOf(read('ROLES'))
  if (clientId === undefined) return undefined
  if (roles.size === 0)
    throw settingError('SYNC_OIDC_ROLES', 'roles such as sync-admins=admin,support=reader, got none')
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    role: (claims: { readonly [name: string]: unknown }): ApiRole | undefined => roleOf(roles, valuesAt(claims, claim)),
  }
}

/** Returns the most powerful role that one of the values gives. */
const roleOf = (roles: ReadonlyMap<string, ApiRole>, values: readonly unknown[]): ApiRole | undefined => {
  const given = values.flatMap(value => (typeof value === 'string' ? (roles.get(value) ?? []) : []))
  return BY_POWER.find(role => given.includes(role))
}

const BY_POWER: readonly ApiRole[] = ['admin', 'operator', 'plugin', 'reader']

/** Returns the values of a claim that is a text or a list; a dot leads into an object, unless a claim has that name. */
function valuesAt(claims: { readonly [name: string]: unknown }, path: string): readonly unknown[] {
  let value: unknown = claims[path]
  if (value === undefined) {
    value = claims
    for (const name of path.split('.'))
      value = (value as { readonly [name: string]: unknown } | null | undefined)?.[name]
  }
  return [value].flat()
}

function rolesOf(text: string | undefined): ReadonlyMap<string, ApiRole> {
  const pairs = listOf(text).map(pair => {
    const at = pair.lastIndexOf('=')
    const [value, role] = [pair.slice(0, at), pair.slice(at + 1)]
    if (at > 0 && API_ROLES.some(one => one === role)) return [value, role as ApiRole] as const
    throw settingError(
      'SYNC_OIDC_ROLES',
      `values and roles (${API_ROLES.join(', ')}) such as sync-admins=admin, got "${pair}"`,
    )
  })
  return new Map(pairs)
}

const listOf = (text = ''): readonly string[] => text.split(/[\s,]+/).filter(one => one !== '')

const settingError = (name: string, expected: string): SyncError =>
  new SyncError('value_not_allowed', `${name}: expected ${expected}.`)
