import { SyncError, type User, type UserList, type UserUpdate } from '@godwit/protocol'
import type { RegistryRecord } from '@godwit/store'
import { revokeAll } from '../access/credentials.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { checkOtherAdmin, undoIfNoAdmin } from './last-admin.js'
import { checkPassword } from './new-user.js'
import { freeMembers, getUser, isBarred, type UserRecord, userOf } from './user-record.js'

type EngineWith<Name extends keyof AccountsEngine> = Pick<AccountsEngine, Name>

const PAGE = 500
const DEFAULT_PAGE = 100

/** Lists the logins of one role in order: those after `after`, at most `limit`. */
export async function listUsers(engine: EngineWith<'store'>, list: UserList): Promise<readonly string[]> {
  return (await recordsOf(engine, list)).map(({ id }) => id)
}

/** API users are few among many records, so their listing reads larger pages. */
async function recordsOf(
  { store: { registry } }: EngineWith<'store'>,
  { role = 'device', after, limit = Number.POSITIVE_INFINITY }: UserList,
): Promise<readonly RegistryRecord[]> {
  const records: RegistryRecord[] = []
  const step = role === 'device' ? Math.min(PAGE, limit) : PAGE
  for (let behind = after; ; ) {
    const page = await registry.list('user', { after: behind, limit: step })
    for (const record of page) if (!isBarred(record) && record.value['role'] === role) records.push(record)
    behind = page.at(-1)?.id
    if (page.length < step || records.length >= limit) return records.slice(0, limit)
  }
}

/** Returns a user without secrets. */
export async function readUser({ store: { registry } }: EngineWith<'store'>, login: string): Promise<User> {
  return toUser(await getUser(registry, login), await registry.count('client', login))
}

/** Lists the users of one role in order of login: those after `after`, at most `limit`. */
export async function pageOfUsers(
  engine: EngineWith<'store'>,
  { limit = DEFAULT_PAGE, ...page }: UserList,
): Promise<readonly User[]> {
  const users = (await recordsOf(engine, { ...page, limit })).map(userOf)
  const logins = users.map(({ login }) => login)
  const counts = await engine.store.registry.countEach('client', logins)
  return users.map((user, place) => toUser(user, counts[place] ?? 0))
}

const toUser = ({ login, role, locked, attributes, createdAt }: UserRecord, clients: number): User => ({
  login,
  role,
  locked,
  attributes,
  clients,
  created_at: createdAt,
})

/** Ends every session and token of a user. Devices keep their data and need a login before their next sync. */
export async function endSessions(engine: EngineWith<'store'>, login: string): Promise<void> {
  await getUser(engine.store.registry, login)
  await revokeAll(engine, login)
}

/** Merges attributes; a new password, role or lock revokes the sessions and tokens of the user. `keep`: the one that survives a new password. */
export async function updateUser(
  engine: EngineWith<'store' | 'passwords'>,
  login: string,
  { attributes = {}, role, locked }: UserUpdate,
  options: { keep?: string | undefined } = {},
): Promise<void> {
  const { registry } = engine.store
  const { password, ...free } = attributes
  if (Object.hasOwn(attributes, 'login')) {
    throw new SyncError(
      'value_not_allowed',
      'A login cannot be changed. Create another user instead. Nothing was changed.',
    )
  }
  const before = await getUser(registry, login)
  const isDemoted = before.role === 'admin' && (locked === true || (role !== undefined && role !== 'admin'))
  if (isDemoted) await checkOtherAdmin(registry, login)
  const passwordHash = password === undefined ? undefined : await engine.passwords.hash(checkPassword(password))
  const change = {
    ...freeMembers(free),
    ...(role && { role }),
    ...(locked !== undefined && { locked: locked || null }),
    ...(passwordHash && { password: passwordHash }),
  }
  const after = await registry.merge('user', login, change)
  if (!after || isBarred(after))
    throw new SyncError('user_not_found', `User ${JSON.stringify(login)} no longer exists. Create it again.`)
  if (isDemoted) await undoIfNoAdmin(registry, login, { role: 'admin', ...(locked && { locked: null }) })
  if (locked || userOf(after).role !== before.role) await revokeAll(engine, login)
  else if (passwordHash) await revokeAll(engine, login, options)
}
