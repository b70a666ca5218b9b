import { hash } from 'node:crypto'
import { SyncError, type UserSession } from '@godwit/protocol'
import type { RegistryRecord, Store } from '@godwit/store'
import { announceEnd } from '../../backend/sources/channels.js'
import { type Credential, credentialOf, revoke } from '../access/credentials.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { getUser } from './user-record.js'

type SessionsEngine = Pick<AccountsEngine, 'store' | 'clock'>

const PAGE = 500

/** Lists the sessions of a user's devices that have not expired, oldest first. */
export async function listSessions({ store, clock }: SessionsEngine, login: string): Promise<readonly UserSession[]> {
  const { registry } = store
  await getUser(registry, login)
  const clients = await clientsBySession(registry, login)
  const now = clock()
  const sessions: Credential[] = []
  for await (const session of sessionsOf(registry, login)) if (session.expiresAt > now) sessions.push(session)
  return sessions
    .sort((one, other) => one.createdAt - other.createdAt)
    .map(session => infoOf(session, clients.get(session.id) ?? []))
}

/** Ends one session on all processes at once: each request reads its session from the store, and open event streams are closed. */
export async function endSession({ store }: SessionsEngine, login: string, id: string): Promise<void> {
  await getUser(store.registry, login)
  for await (const session of sessionsOf(store.registry, login)) {
    if (publicIdOf(session) !== id) continue
    await revoke({ store }, session.id)
    return announceEnd(store, login)
  }
  throw new SyncError(
    'session_not_found',
    `The user ${JSON.stringify(login)} has no session ${JSON.stringify(id)}. List them again.`,
  )
}

/** The stored id is a hash of the secret; its hash identifies the session without being of use to anyone who reads the store. */
const publicIdOf = ({ id }: Pick<Credential, 'id'>): string => hash('sha256', id, 'base64url').slice(0, 16)

function infoOf(session: Credential, clients: readonly string[]): UserSession {
  const { createdAt, expiresAt, seenAt } = session
  const text = (time: number): string => new Date(time).toISOString()
  return {
    id: publicIdOf(session),
    clients,
    created_at: text(createdAt),
    expires_at: text(expiresAt),
    ...(seenAt > createdAt && { last_used: text(seenAt) }),
  }
}

async function* sessionsOf(registry: Store['registry'], login: string): AsyncGenerator<Credential> {
  for await (const record of recordsOf(registry, 'credential', login)) {
    const session = credentialOf(record, 'session')
    if (session !== undefined) yield session
  }
}

/** Returns the clients that used each session last, by its stored id. */
async function clientsBySession(registry: Store['registry'], login: string): Promise<ReadonlyMap<string, string[]>> {
  const clients = new Map<string, string[]>()
  for await (const { id, value } of recordsOf(registry, 'client', login)) {
    const { session } = value
    if (typeof session === 'string') clients.set(session, [...(clients.get(session) ?? []), id])
  }
  return clients
}

async function* recordsOf(
  registry: Store['registry'],
  kind: 'credential' | 'client',
  owner: string,
): AsyncGenerator<RegistryRecord> {
  for (let after: string | undefined; ; ) {
    const page = await registry.list(kind, { owner, after, limit: PAGE })
    yield* page
    after = page.at(-1)?.id
    if (after === undefined) return
  }
}
