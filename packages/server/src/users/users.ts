import { SyncError, type User, type UserList, type UserUpdate } from '@godwit/protocol'
import { revokeAll } from '../access/credentials.js'
import type { ServerEngine } from '../engine.js'
import { checkOtherAdmin, keepAnAdmin } from './last-admin.js'
import { checkedPassword } from './new-user.js'
import { freeMembers, getUser, isBarred, userOf } from './user-record.js'

type EngineWith<Name extends keyof ServerEngine> = Pick<ServerEngine, Name>

const PAGE = 500

/** The logins of one role, sorted: those behind `after`, at most `limit`. */
export async function listUsers(
  { store: { registry } }: EngineWith<'store'>,
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
export async function readUser({ store: { registry } }: EngineWith<'store'>, login: string): Promise<User> {
  const [user, clients] = await Promise.all([getUser(registry, login), registry.count('client', login)])
  return { login: user.login, role: user.role, attributes: user.attributes, clients, created_at: user.createdAt }
}

/** Merges attributes; a password or another role ends what was given out under the old one. */
export async function updateUser(
  engine: EngineWith<'store' | 'passwords'>,
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
