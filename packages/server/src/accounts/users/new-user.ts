import { type Attributes, emptyRecord, SyncError, type UserCreate, type UserRole } from '@godwit/protocol'
import { checkLogin } from '../../base/check-login.js'
import { authenticateOf } from '../access/authenticate-of.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { userValue } from './user-record.js'

export type NewUserEngine = Pick<
  AccountsEngine,
  'store' | 'passwords' | 'clock' | 'randomId' | 'authenticate' | 'backend' | 'acceptedLogins'
>

const MAX_PASSWORD = 1024

/** A validated user to be created. */
export interface CheckedUser {
  readonly login: string
  readonly role: UserRole
  /** The password or its stored hash; undefined if the registry does not decide on logins. */
  readonly password: { readonly plain: string } | { readonly hash: string } | undefined
  readonly attributes: Attributes
}

/** Validates a user; attributes other than `login` and `password` are stored unchanged. */
export async function checkUser(
  engine: Pick<NewUserEngine, 'passwords' | 'authenticate' | 'backend' | 'acceptedLogins'>,
  { attributes: { login, password, ...free }, role = 'device', password_hash: hash }: UserCreate,
  path = '',
): Promise<CheckedUser> {
  checkLogin(login, `${path}/attributes/login`)
  const base = { login, role, attributes: withoutNulls(free) }
  if (hash !== undefined) return { ...base, password: { hash: adoptHash(engine, { hash, password, path }) } }
  const isOptional = password === undefined && role === 'device' && (await decidesElsewhere(engine))
  if (password === undefined && !isOptional) throw passwordMissing(role, path)
  return { ...base, password: isOptional ? undefined : { plain: checkPassword(password, path) } }
}

/** True if something besides the registry decides on device logins. */
const decidesElsewhere = async (
  engine: Pick<NewUserEngine, 'authenticate' | 'backend' | 'acceptedLogins'>,
): Promise<boolean> => engine.acceptedLogins.tokens.length > 0 || (await authenticateOf(engine)) !== undefined

/** Creates the user. Returns false, and changes nothing, if the login exists; this is checked before the password is hashed. */
export async function makeUser(
  { store: { registry }, passwords, clock, randomId }: NewUserEngine,
  { login, role, password, attributes }: CheckedUser,
): Promise<boolean> {
  if (await registry.get('user', login)) return false
  const passwordHash = password && ('hash' in password ? password.hash : await passwords.hash(password.plain))
  const createdAt = new Date(clock()).toISOString()
  const value = userValue({ userId: randomId(), role, passwordHash, attributes, createdAt })
  return registry.create('user', { id: login, value })
}

export function checkPassword(password: unknown, path = ''): string {
  if (typeof password === 'string' && password !== '' && password.length <= MAX_PASSWORD) return password
  throw invalid(
    `${path}/attributes/password`,
    `expected a password of 1 to ${MAX_PASSWORD} characters, got another value.`,
  )
}

const passwordMissing = (role: UserRole, path: string): SyncError =>
  invalid(
    `${path}/attributes/password`,
    role === 'device'
      ? 'expected a password, got none: this server decides on logins itself, as no `authenticate` is configured and no plugin backend has an address. Send a password, or set one of these first (POST /rc/v1/system/appserver).'
      : `expected a password, got none: users of the role ${role} log in with one.`,
  )

interface ImportedHash {
  readonly hash: string
  readonly password: unknown
  readonly path: string
}

function adoptHash({ passwords }: Pick<NewUserEngine, 'passwords'>, { hash, password, path }: ImportedHash): string {
  if (password !== undefined)
    throw invalid(`${path}/password_hash`, 'expected a password or a password_hash, got both.')
  const known = passwords.adopt(hash)
  if (known !== undefined) return known
  const message =
    'expected a password_hash as scrypt$N$r$p$salt$key or $scrypt$ln=…,r=…,p=…$salt$key, with a key of 32 bytes, a salt of 8 or more, at most 128 MiB of memory (N·r ≤ 2^20) and N·r·p ≤ 2^23, got another text.'
  throw invalid(`${path}/password_hash`, message)
}

const invalid = (path: string, message: string): SyncError =>
  new SyncError('body_invalid', message, { details: { errors: [{ path, message }] } })

function withoutNulls(attributes: Attributes): Attributes {
  const kept = emptyRecord<Attributes[string]>()
  for (const [name, value] of Object.entries(attributes)) if (value !== null) kept[name] = value
  return kept
}
