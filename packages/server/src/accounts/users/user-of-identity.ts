import { type Attributes, SyncError, type UserRole } from '@godwit/protocol'
import type { VerifiedUser } from '@godwit/source'
import { isLogin } from '../../base/check-login.js'
import { storedForm } from '../access/secrets.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { checkNotLocked, findUser, freeMembers, type UserRecord, userValue } from './user-record.js'

type IdentityEngine = Pick<AccountsEngine, 'store' | 'clock' | 'randomId'>

/** A person of an identity provider who signs in. */
export interface Identity {
  readonly verified: VerifiedUser
  /** A person may be one user on devices and another one in the console. */
  readonly purpose: 'device' | 'console'
  /** The role of a user that is created. */
  readonly role: UserRole
}

/**
 * Returns the user of a person, whom the issuer and subject identify: a later change of the login claim leads to the same user. The user is created at
 * the first login, or one without a password is linked. Attributes follow the claims. Throws `user_locked` for a user that is locked or was deleted,
 * and `user_exists` if the login belongs to someone else.
 */
export async function userOfIdentity(engine: IdentityEngine, identity: Identity): Promise<UserRecord> {
  const { registry } = engine.store
  const { verified, purpose } = identity
  const id = storedForm(JSON.stringify([verified.issuer, verified.subject, purpose]))
  const known = await registry.get('identity', id)
  const login = known === undefined ? verified.login : String(known.value['login'])
  if (!isLogin(login))
    throw new SyncError(
      'token_invalid',
      'The login in the token is not allowed on this server. Use another claim as the login.',
    )
  const present = await findUser(registry, login)
  if (present === undefined && known !== undefined) throw deletedUser(login)
  const user = present ?? (await createUser(engine, identity, { id, login }))
  checkPurpose(user, purpose)
  await link(engine, user, id)
  if (known === undefined) {
    const { issuer, subject } = verified
    await registry.create('identity', { id, owner: login, value: { login, issuer, subject, purpose } })
  }
  checkNotLocked(user)
  return followClaims(engine, { ...user, identity: id }, verified.attributes)
}

async function createUser(
  { store: { registry }, clock, randomId }: IdentityEngine,
  { verified, role }: Identity,
  { id, login }: { readonly id: string; readonly login: string },
): Promise<UserRecord> {
  const createdAt = new Date(clock()).toISOString()
  const attributes = withoutNulls(verified.attributes)
  const value = userValue({ userId: randomId(), role, passwordHash: undefined, identity: id, attributes, createdAt })
  await registry.create('user', { id: login, value })
  const user = await findUser(registry, login)
  // Another process is deleting it.
  if (user === undefined) throw deletedUser(login)
  return user
}

/** Throws before anything is linked, since a user is either one of devices or one of the API. */
function checkPurpose({ login, role }: UserRecord, purpose: Identity['purpose']): void {
  if ((role === 'device') === (purpose === 'device')) return
  if (purpose === 'device')
    throw new SyncError(
      'not_a_device_user',
      `expected a user with the role device, got ${role}. API users sign in to the console.`,
    )
  throw new SyncError(
    'not_an_api_user',
    `The login ${JSON.stringify(login)} is that of a device user: give operators another one by console.login.`,
  )
}

/** Links a user who has no password and no other identity. */
async function link({ store: { registry } }: IdentityEngine, user: UserRecord, id: string): Promise<void> {
  if (user.identity === id) return
  if (user.identity !== undefined || user.passwordHash !== undefined)
    throw new SyncError(
      'user_exists',
      `The login ${JSON.stringify(user.login)} of this token belongs to another user of the server. Ask an admin.`,
    )
  await registry.merge('user', user.login, { identity: id })
}

async function followClaims(
  { store: { registry } }: IdentityEngine,
  user: UserRecord,
  attributes: Attributes,
): Promise<UserRecord> {
  const changed = Object.entries(attributes).filter(
    ([name, value]) => JSON.stringify(user.attributes[name] ?? null) !== JSON.stringify(value ?? null),
  )
  if (changed.length > 0) await registry.merge('user', user.login, freeMembers(Object.fromEntries(changed)))
  return user
}

const withoutNulls = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))

const deletedUser = (login: string): SyncError =>
  new SyncError('user_locked', `The user ${JSON.stringify(login)} was deleted on this server. Ask an admin.`)
