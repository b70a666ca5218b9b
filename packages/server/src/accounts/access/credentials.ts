import { SyncError } from '@godwit/protocol'
import type { RegistryRecord } from '@godwit/store'
import { announceEnd } from '../../backend/sources/channels.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { enforceSessionQuota } from '../quota/session-quota.js'
import { findUser, type UserRecord } from '../users/user-record.js'
import { newPublicId, newSecret, storedForm } from './secrets.js'

/**
 * The routes that a credential opens: a session those of devices, a token or a console cookie those of the API. One purpose never replaces another.
 */
export type Purpose = 'session' | 'token' | 'console'

/** Lifetime of a console session in seconds, so that an open page expires at the end of the working day. */
const CONSOLE_LIFE = 12 * 3600

/** A session or token in the registry, stored under the hash of its secret. */
export interface Credential {
  readonly id: string
  readonly purpose: Purpose
  readonly login: string
  readonly userId: string
  readonly role: UserRecord['role']
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** When its use was last recorded, in milliseconds since 1970. */
  readonly seenAt: number
}

/** A new credential with its secret. */
export interface IssuedCredential {
  /** Returned once and never stored. */
  readonly secret: string
  readonly expiresAt: number
}

type EngineWith<Name extends keyof AccountsEngine> = Pick<AccountsEngine, Name>

/** When the registry deletes the record, in milliseconds since 1970: a week after expiry, so that its owner gets "expired" instead of "unknown". */
export const recordExpiry = (expiresAt: number): number => expiresAt + 7 * 24 * 3600 * 1000

/** The purpose of a new credential, and its latest end in milliseconds since 1970; default: by its lifetime alone. */
export interface CredentialTerms {
  readonly purpose: Purpose
  readonly until?: number
}

/**
 * Issues a session or token for a user record that was read before the password check. Reads the user again afterwards and throws
 * `invalid_credentials` if it was locked or its password or role changed meanwhile.
 */
export async function issueCredential(
  engine: EngineWith<'store' | 'clock' | 'limits' | 'metrics'>,
  user: UserRecord,
  { purpose, until = Number.POSITIVE_INFINITY }: CredentialTerms,
): Promise<IssuedCredential> {
  const {
    store: { registry },
    clock,
    limits,
  } = engine
  const secret = newSecret()
  const id = storedForm(secret)
  const now = clock()
  const expiresAt = Math.min(now + 1000 * lifeOf(purpose, limits), until)
  const value = {
    purpose,
    // A session is listed under the hash of its stored id.
    ...(purpose !== 'session' && { public_id: newPublicId() }),
    user_id: user.userId,
    role: user.role,
    created_at: Math.max(now, user.signedOutAt + 1),
    expires_at: expiresAt,
    seen_at: now,
  }
  await registry.create('credential', { id, owner: user.login, value, expiresAt: recordExpiry(expiresAt) })
  const present = await findUser(registry, user.login)
  if (present && isSame(present, user)) {
    if (purpose === 'session') await enforceSessionQuota(engine, { login: user.login, id })
    return { secret, expiresAt }
  }
  await registry.delete('credential', id)
  throw new SyncError('invalid_credentials', 'The user was changed during the login. Log in again.')
}

const lifeOf = (purpose: Purpose, { sessionLife, tokenLife }: AccountsEngine['limits']): number =>
  ({ session: sessionLife, token: tokenLife, console: Math.min(tokenLife, CONSOLE_LIFE) })[purpose]

const isSame = (one: UserRecord, other: UserRecord): boolean =>
  one.userId === other.userId &&
  one.locked === other.locked &&
  one.role === other.role &&
  one.identity === other.identity &&
  one.passwordHash === other.passwordHash

/** Returns the credential of a record; undefined if it does not exist, was revoked or has another purpose. */
export function credentialOf(record: RegistryRecord | undefined, purpose: Purpose): Credential | undefined {
  if (record?.owner === undefined || record.value['purpose'] !== purpose) return undefined
  const { value } = record
  return {
    id: record.id,
    purpose,
    login: record.owner,
    userId: value['user_id'] as string,
    role: value['role'] as Credential['role'],
    createdAt: value['created_at'] as number,
    expiresAt: value['expires_at'] as number,
    seenAt: value['seen_at'] as number,
  }
}

/** True if the session was created before the device was signed out. */
export const isSignedOut = ({ value }: Pick<RegistryRecord, 'value'>, { createdAt }: Credential): boolean =>
  createdAt <= Number(value['signed_out_at'] ?? 0)

/** Returns the credential for API routes, from a token or a console cookie. */
export const apiCredentialOf = (record: RegistryRecord | undefined): Credential | undefined =>
  credentialOf(record, 'token') ?? credentialOf(record, 'console')

/** Revokes every session and token of a user, except the one to keep. */
export async function revokeAll(
  { store }: EngineWith<'store'>,
  login: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<void> {
  const { registry } = store
  if (keep === undefined) {
    await registry.deleteOwned('credential', login)
    return announceEnd(store, login)
  }
  for (let after: string | undefined; ; ) {
    const page = await registry.list('credential', { owner: login, after, limit: 500 })
    await Promise.all(page.filter(({ id }) => id !== keep).map(({ id }) => registry.delete('credential', id)))
    after = page.at(-1)?.id
    if (after === undefined) return announceEnd(store, login)
  }
}

/** Deletes a credential, so that its secret is refused from now on. A credential that does not exist is ignored. */
export async function revoke({ store: { registry } }: EngineWith<'store'>, id: string): Promise<void> {
  await registry.delete('credential', id)
}
