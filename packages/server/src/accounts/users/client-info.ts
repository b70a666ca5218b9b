import {
  type ClientInfo,
  type ClientLine,
  type ClientList,
  emptyRecord,
  SyncError,
  sourceKeyText,
} from '@godwit/protocol'
import type { RegistryRecord } from '@godwit/store'
import { parametersOfPartition } from '../../backend/sources/partition-of.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { collectionsOf } from './client-collections.js'
import { type ClientRecord, clientOf } from './client-record.js'
import { confirmedPosition } from './confirmed-positions.js'
import { pushCountsOf } from './push-counts.js'
import { getUser } from './user-record.js'

type InfoEngine = Pick<AccountsEngine, 'store' | 'sources'>

/** Lists ids of clients in order, optionally of one user. */
export async function pageOfClients(
  { store: { registry } }: InfoEngine,
  { user, after, limit = 100 }: ClientList,
): Promise<readonly string[]> {
  if (user !== undefined) await getUser(registry, user)
  return (await registry.list('client', { owner: user, after, limit })).map(({ id }) => id)
}

/** Returns a client as operators see it: its push address, last use and positions. */
export async function readClient(engine: InfoEngine & Pick<AccountsEngine, 'hub'>, id: string): Promise<ClientInfo> {
  const record = await getClient(engine, id)
  const { owner = '' } = record
  const positions = await positionsOf(engine, clientOf(record))
  return { ...lineOf(record), listening: engine.hub.isOpen(owner, id), positions, push: pushCountsOf(record.value) }
}

/** Returns the client's record. Throws `client_not_found`. */
export async function getClient({ store }: Pick<AccountsEngine, 'store'>, id: string): Promise<RegistryRecord> {
  const record = await store.registry.get('client', id)
  if (record) return record
  throw new SyncError('client_not_found', `There is no client ${JSON.stringify(id)}.`)
}

/** Lists clients in order of id, optionally of one user. */
export async function clientLines(
  { store: { registry } }: InfoEngine,
  { user, after, limit = 100 }: ClientList,
): Promise<readonly ClientLine[]> {
  if (user !== undefined) await getUser(registry, user)
  return (await registry.list('client', { owner: user, after, limit })).map(lineOf)
}

function lineOf(record: RegistryRecord): ClientLine {
  const { id, owner: user = '', value } = record
  const text = (name: string): string | null => (typeof value[name] === 'string' ? value[name] : null)
  const seenAt = value['seen_at']
  return {
    client_id: id,
    user,
    device_type: text('device_type'),
    device_push_type: text('device_push_type'),
    device_pin: text('device_pin'),
    device_port: (value['device_port'] ?? null) as ClientInfo['device_port'],
    phone_id: text('phone_id'),
    device_app_id: text('device_app_id'),
    device_app_version: text('device_app_version'),
    created_at: String(value['created_at']),
    last_sync: typeof seenAt === 'number' ? new Date(seenAt).toISOString() : null,
  }
}

async function positionsOf({ store, sources }: InfoEngine, client: ClientRecord): Promise<ClientInfo['positions']> {
  const positions = emptyRecord<number>()
  for (const collection of collectionsOf({ sources }, client)) {
    const confirmed = await confirmedPosition(store, client, collection)
    const parameters = parametersOfPartition(collection.partition)
    const key = sourceKeyText({ source: collection.source, parameters })
    if (confirmed) positions[key] = confirmed.id === undefined ? confirmed.version : 0
  }
  return positions
}
