import { type Attributes, type AttributeValue, emptyRecord, SyncError, type UserRole } from '@godwit/protocol'
import type { RecordValue, RegistryRecord, Store } from '@godwit/store'

/** A user as stored in the registry under the login. */
export interface UserRecord {
  readonly login: string
  /** Random and constant: a user that is deleted and created again under the same login is another user. */
  readonly userId: string
  readonly role: UserRole
  readonly passwordHash: string | undefined
  /** The id of the person at an identity provider; undefined for a user without one. */
  readonly identity: string | undefined
  /** True if no login succeeds. */
  readonly locked: boolean
  readonly attributes: Attributes
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** When a device of the user was last signed out by someone else, in milliseconds since 1970; 0: never. */
  readonly signedOutAt: number
}

// The prefix lets each attribute merge in one atomic step and keeps it apart from other members.
const ATTRIBUTE_PREFIX = 'attribute:'

type NewUser = Omit<UserRecord, 'login' | 'locked' | 'signedOutAt' | 'identity'> & Partial<Pick<UserRecord, 'identity'>>

export function userValue(user: NewUser): RecordValue {
  return {
    user_id: user.userId,
    role: user.role,
    created_at: user.createdAt,
    ...(user.passwordHash !== undefined && { password: user.passwordHash }),
    ...(user.identity !== undefined && { identity: user.identity }),
    ...freeMembers(user.attributes),
  }
}

/** Returns attributes as members of the record, for `create` and `merge`. */
export function freeMembers(attributes: Attributes): RecordValue {
  const members = emptyRecord<AttributeValue>()
  for (const [name, value] of Object.entries(attributes)) members[ATTRIBUTE_PREFIX + name] = value
  return members
}

/** Returns the user of a login; undefined if there is none or it is being deleted. */
export async function findUser(
  registry: Pick<Store['registry'], 'get'>,
  login: string,
): Promise<UserRecord | undefined> {
  const record = await registry.get('user', login)
  return record && !isBarred(record) ? userOf(record) : undefined
}

export async function getUser(registry: Store['registry'], login: string): Promise<UserRecord> {
  const user = await findUser(registry, login)
  if (user) return user
  throw new SyncError('user_not_found', `There is no user ${JSON.stringify(login)}.`)
}

export const isBarred = (record: RegistryRecord): boolean => record.value['barred'] === true

export const isLocked = ({ value }: Pick<RegistryRecord, 'value'>): boolean => value['locked'] === true

/** Throws `user_locked`. Called after the password check, so that only the user learns of the lock. */
export function checkNotLocked({ login, locked }: UserRecord): void {
  if (locked)
    throw new SyncError('user_locked', `The user ${JSON.stringify(login)} is locked. Ask an admin to unlock it.`)
}

export function userOf({ id, value }: RegistryRecord): UserRecord {
  const attributes = emptyRecord<AttributeValue>()
  for (const [name, member] of Object.entries(value)) {
    if (name.startsWith(ATTRIBUTE_PREFIX) && member !== null) attributes[name.slice(ATTRIBUTE_PREFIX.length)] = member
  }
  return {
    login: id,
    userId: String(value['user_id']),
    role: value['role'] as UserRole,
    passwordHash: typeof value['password'] === 'string' ? value['password'] : undefined,
    identity: typeof value['identity'] === 'string' ? value['identity'] : undefined,
    locked: isLocked({ value }),
    attributes,
    createdAt: String(value['created_at']),
    signedOutAt: Number(value['signed_out_at'] ?? 0),
  }
}
