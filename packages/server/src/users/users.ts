import {
  type Attributes,
  emptyRecord,
  SyncError,
  type User,
  type UserCreate,
  type UserList,
  type UserRole,
  type UserUpdate,
} from '@godwit/protocol'
import { authenticateOf } from '../access/authenticate-of.js'
import { revokeAll } from '../access/credentials.js'
import type { ServerEngine } from '../engine.js'
import { checkLogin } from './check-login.js'
import { checkOtherAdmin, keepAnAdmin } from './last-admin.js'
import { freeMembers, getUser, isBarred, userOf, userValue } from './user-record.js'

type With<Name extends keyof ServerEngine> = Pick<ServerEngine, Name>

const PAGE = 500
const MAX_PASSWORD = 1024

/** Makes a user: `login` and `password` of the attributes, the rest is kept as they are. */
export async function createUser(
  engine: With<'store' | 'passwords' | 'clock' | 'randomId' | 'authenticate' | 'backend'>,
  { attributes: { login, password, ...free }, role = 'device' }: UserCreate,
): Promise<string> {
  checkLogin(login)
  const passwordless = password === undefined && role === 'device' && (await authenticateOf(engine)) !== undefined
  if (password === undefined && !passwordless) throw passwordMissing(role)
  const passwordHash = passwordless ? undefined : await engine.passwords.hash(checkedPassword(password))
  const createdAt = new Date(engine.clock()).toISOString()
  const value = userValue({ userId: engine.randomId(), role, passwordHash, attributes: withoutNulls(free), createdAt })
  if (await engine.store.registry.create('user', { id: login, value })) return login
  throw new SyncError('user_exists', `A user ${JSON.stringify(login)} exists already; nothing was changed.`)
}

/** The logins of one role, sorted: those behind `after`, at most `limit`. */
export async function listUsers(
  { store: { registry } }: With<'store'>,
  { role = 'device', after, limit = Number.POSITIVE_INFINITY }: UserList,
): Promise<readonly string[]> {
  const logins: string[] = []
  for (let behind = after; ; ) {
    const page = await registry.list('user', { after: behind, limit: PAGE })
    for (const record of page) if (!isBarred(record) && record.value['role'] === role) logins.push(record.id)
    behind = page.at(-1)?.id
    if (page.length < PAGE || logins.length >= limit) return logins.slice(0, limit)
  }
}

/** A user as others may see it. */
export async function readUser({ store: { registry } }: With<'store'>, login: string): Promise<User> {
  const [user, clients] = await Promise.all([getUser(registry, login), registry.count('client', login)])
  return { login: user.login, role: user.role, attributes: user.attributes, clients, created_at: user.createdAt }
}

/** Merges attributes; a password or another role ends what was given out under the old one. */
export async function updateUser(
  engine: With<'store' | 'passwords'>,
  login: string,
  { attributes = {}, role }: UserUpdate,
  options: { keep?: string | undefined } = {},
): Promise<void> {
  const { registry } = engine.store
  const { password, ...free } = attributes
  if (Object.hasOwn(attributes, 'login')) {
    throw new SyncError('value_not_allowed', 'A login cannot be changed: make another user. Nothing was changed.')
  }
  const before = await getUser(registry, login)
  const isDemoted = before.role === 'admin' && role !== undefined && role !== 'admin'
  if (isDemoted) await checkOtherAdmin(registry, login)
  const passwordHash = password === undefined ? undefined : await engine.passwords.hash(checkedPassword(password))
  const change = { ...freeMembers(free), ...(role && { role }), ...(passwordHash && { password: passwordHash }) }
  const after = await registry.merge('user', login, change)
  if (!after || isBarred(after)) throw new SyncError('user_not_found', `The user ${JSON.stringify(login)} was deleted.`)
  if (isDemoted) await keepAnAdmin(registry, login, { role: 'admin' })
  if (userOf(after).role !== before.role) await revokeAll(engine, login)
  else if (passwordHash) await revokeAll(engine, login, options)
}

function checkedPassword(password: unknown): string {
  if (typeof password === 'string' && password !== '' && password.length <= MAX_PASSWORD) return password
  throw passwordInvalid(`A password is a text of 1 to ${MAX_PASSWORD} characters.`)
}

const passwordMissing = (role: UserRole): SyncError =>
  passwordInvalid(
    role === 'device'
      ? 'Expected a password, got none: this server decides on logins itself, as no `authenticate` is configured and no plugin backend has an address. Send a password, or set one of these first (POST /rc/v1/system/appserver).'
      : `Expected a password, got none: users of the role ${role} log in with one.`,
  )

function passwordInvalid(message: string): SyncError {
  return new SyncError('body_invalid', message, { details: { errors: [{ path: '/attributes/password', message }] } })
}

function withoutNulls(attributes: Attributes): Attributes {
  const kept = emptyRecord<Attributes[string]>()
  for (const [name, value] of Object.entries(attributes)) if (value !== null) kept[name] = value
  return kept
}
