import type { ObjectId } from '@godwit/protocol'
import type { CollectionId, ObjectHistory, Store, StoredObjectState } from '@godwit/store'
import { type ClientRecord, clientOf } from '../../../accounts/users/client-record.js'
import {
  type ConfirmedPosition,
  confirmedPosition,
  isConfirmed,
  sentPosition,
} from '../../../accounts/users/confirmed-positions.js'
import type { DeviceFacts, NamedDevices } from './facts.js'

type FactsStore = Pick<Store, 'registry' | 'collections'>

/** The object in question. */
export interface SoughtObject {
  readonly user: string
  readonly collection: CollectionId
  readonly object: ObjectId
  readonly present: StoredObjectState
}

/** The number of a user's clients examined. */
const MAX_CLIENTS = 100

/** Returns the requested client, or else each of the user's. */
export async function namedDevices(
  store: FactsStore,
  client: string | undefined,
  sought: SoughtObject,
): Promise<NamedDevices> {
  const { user } = sought
  if (client === undefined) {
    if (user === '*') return { kind: 'none_named' }
    const records = await store.registry.list('client', { owner: user, limit: MAX_CLIENTS + 1 })
    const looked = records.slice(0, MAX_CLIENTS).map(record => deviceFacts(store, clientOf(record), sought))
    return { kind: 'known', devices: await Promise.all(looked), areMore: records.length > MAX_CLIENTS }
  }
  const record = await store.registry.get('client', client)
  if (!record) return { kind: 'unknown', client }
  if (user !== '*' && record.owner !== user) return { kind: 'of_another_user', client, owner: record.owner ?? '' }
  return { kind: 'known', devices: [await deviceFacts(store, clientOf(record), sought)], areMore: false }
}

async function deviceFacts(store: FactsStore, client: ClientRecord, sought: SoughtObject): Promise<DeviceFacts> {
  const { collection, object, present } = sought
  const confirmed = await confirmedPosition(store, client, collection)
  if (confirmed === undefined) return { client: client.id, hadObject: false }
  const sent = await sentPosition(store, client, collection)
  const includes = (position: ConfirmedPosition): boolean =>
    present.state !== 'never' && isConfirmed(position, { id: object, version: present.version })
  const isWhole = confirmed.id === undefined
  const reached = [confirmed, ...(sent ? [sent] : [])]
  return {
    client: client.id,
    confirmed: { at: confirmed.at, isWhole, includesObject: includes(confirmed) },
    ...(sent &&
      !(isWhole && sent.version <= confirmed.version) && {
        sent: { at: sent.at, includesObject: includes(sent) },
      }),
    hadObject: present.state === 'gone' && (confirmed.isVoid || (await hadObject(store, sought, reached))),
  }
}

const VERSIONS = 100

/** True if a removed object was, or may have been, on a device that reached one of these positions. */
async function hadObject(
  { collections }: FactsStore,
  { collection, object }: SoughtObject,
  reached: readonly ConfirmedPosition[],
): Promise<boolean> {
  const history = await collections.history(collection, object, { limit: VERSIONS })
  return reached.some(position => wasLiveAt(history, object, position))
}

function wasLiveAt({ versions, earlier }: ObjectHistory, id: ObjectId, position: ConfirmedPosition): boolean {
  const last = versions.find(({ version }) => isConfirmed(position, { id, version }))
  return last === undefined ? earlier !== 'none' && position.version > 0 : last.operation !== 'removed'
}
