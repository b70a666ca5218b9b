import { type ClientRegistration, type ClientReset, SyncError } from '@godwit/protocol'
import type { RecordValue } from '@godwit/store'
import { announceEnd } from '../../backend/sources/channels.js'
import { findCollection } from '../../backend/sources/partition-of.js'
import { clientScope } from '../../base/document-scopes.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { enforceClientQuota } from '../quota/client-quota.js'
import {
  ALL_SOURCES,
  type ClientRecord,
  clientIdsOf,
  clientOf,
  collectionsOfClient,
  nonceMember,
} from './client-record.js'
import { getUser } from './user-record.js'

type EngineWith<Name extends keyof AccountsEngine> = Pick<AccountsEngine, Name>

/** The user of a new client, and the session, which must still be valid when the client is created. */
export interface ClientOwner {
  readonly login: string
  readonly credential: string
}

const REGISTERED = [
  'device_type',
  'device_push_type',
  'device_pin',
  'device_port',
  'phone_id',
  'device_app_id',
  'device_app_version',
] as const satisfies readonly (keyof ClientRegistration)[]

/**
 * Creates a client and returns its id. Throws `quota_exceeded` if the user has too many clients, or `session_missing` if the session was revoked
 * meanwhile.
 */
export async function createClient(
  engine: EngineWith<'store' | 'sources' | 'randomId' | 'clock' | 'limits' | 'metrics' | 'reporter'>,
  { login, credential }: ClientOwner,
): Promise<string> {
  const { randomId, clock } = engine
  const { registry } = engine.store
  const id = randomId()
  const created = new Date(clock()).toISOString()
  const value = { created_at: created, session: credential, [nonceMember(ALL_SOURCES)]: randomId() }
  await registry.create('client', { id, owner: login, value })
  if (await registry.get('credential', credential)) {
    await enforceClientQuota(engine, { login, id, remove: other => removeClient(engine, other) })
    engine.reporter.report({ kind: 'client_created', user: login, client: id })
    return id
  }
  await registry.delete('client', id)
  throw new SyncError('session_missing', 'The session was revoked. Log in with POST /rc/v1/app/login.')
}

/** Stores how to reach the device; omitted members do not change. */
export async function registerClient(
  { store }: EngineWith<'store'>,
  id: string,
  registration: ClientRegistration,
): Promise<void> {
  const change: Record<string, RecordValue[string]> = {}
  for (const name of REGISTERED) if (registration[name] !== undefined) change[name] = registration[name]
  await store.registry.merge('client', id, change)
}

/** Changes the client's nonces, so that its older tokens are void and its next pulls are resyncs. */
export async function resetClient(
  { store, sources, randomId }: EngineWith<'store' | 'sources' | 'randomId'>,
  id: string,
  { sources: names }: ClientReset,
): Promise<void> {
  for (const name of names ?? []) sources.get(name)
  const members = (names ?? [ALL_SOURCES]).map(name => [nonceMember(name), randomId()] as const)
  await store.registry.merge('client', id, Object.fromEntries(members))
}

export async function listClients({ store }: EngineWith<'store'>, login: string): Promise<readonly string[]> {
  await getUser(store.registry, login)
  return clientIdsOf(store.registry, login)
}

/** Deletes a client of this user with its data in collections. */
export async function deleteClient(
  { store, sources, reporter }: EngineWith<'store' | 'sources' | 'reporter'>,
  login: string,
  id: string,
): Promise<void> {
  await getUser(store.registry, login)
  const record = await store.registry.get('client', id)
  if (record?.owner !== login) {
    throw new SyncError(
      'client_not_found',
      `There is no client ${JSON.stringify(id)} of the user ${JSON.stringify(login)}.`,
    )
  }
  await removeClient({ store, sources, reporter }, id)
}

/** Removes a client, if it still exists. */
async function removeClient(
  { store, sources, reporter }: EngineWith<'store' | 'sources' | 'reporter'>,
  id: string,
): Promise<void> {
  const record = await store.registry.get('client', id)
  if (!record || !(await store.registry.delete('client', id))) return
  const client = clientOf(record)
  reporter.report({ kind: 'client_deleted', user: client.user, client: id })
  await announceEnd(store, client.user)
  await forgetClient({ store, sources }, client)
}

/** Removes the client's readers, which hold the floors of collections, its documents and its decided mutations. */
export async function forgetClient(
  { store, sources }: EngineWith<'store' | 'sources'>,
  client: ClientRecord,
): Promise<void> {
  const { id, user } = client
  for (const collection of [
    ...sources.all().flatMap(source => findCollection(source, user) ?? []),
    ...collectionsOfClient(client),
  ]) {
    await store.collections.dropReader(collection, id)
    await store.journal.dropClient(collection, id)
    await store.documents.deleteScope(clientScope(collection.source, id))
  }
}
