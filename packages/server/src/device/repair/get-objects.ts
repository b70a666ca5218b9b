import {
  type Attributes,
  emptyRecord,
  type GotObjects,
  type ObjectId,
  type PartitionParameters,
  SyncError,
} from '@godwit/protocol'
import { type CollectionId, READ_BYTES, type Store } from '@godwit/store'
import { attributesText, parseAttributes, takeUpTo } from '@godwit/store/history'
import type { ReplyLease } from '../../accounts/quota/reply-budget.js'
import { openCollection } from '../../accounts/users/open-collection.js'
import type { AccessEngine } from '../../backend/partitions/access.js'
import { resolvePartition } from '../../backend/partitions/resolve-partition.js'
import { type ContentsRequest, fetchContents } from '../../backend/pass-through/contents.js'
import type { CallEngine } from '../../backend/sources/call-source.js'
import type { DeviceEngine } from '../device-engine.js'

/** A device's request for objects of a source by id. */
export interface ObjectsRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly ids: readonly ObjectId[]
  readonly parameters?: PartitionParameters | undefined
  /** The bytes that the reply may use. Absent: they are not limited. */
  readonly lease?: ReplyLease
}

/** A live object with its attributes as JSON text. */
interface FoundObject {
  readonly id: ObjectId
  readonly version: number
  readonly text: string
}

/** Number of objects that are read together, before it is known whether they fit. */
const AT_ONCE = 8

/** Returns objects by id, each complete and with its present version, up to `READ_BYTES`, but at least one; the others are left as `rest`. */
export async function getObjects(
  engine: AccessEngine & Pick<DeviceEngine, 'sources'>,
  { source: name, user, ids, parameters, lease }: ObjectsRequest,
): Promise<GotObjects> {
  const { sources, store } = engine
  const source = await sources.learn(name, user)
  const collection = await resolvePartition(engine, source, { user, parameters })
  const { found, unread } = await readObjects(store, collection, ids)
  // A backend may be waited for, on which no other reply depends.
  if (source.passThrough) lease?.resize(0)
  const filled = source.passThrough
    ? await fillContents(engine, { source, collection, user, parameters: {} }, found)
    : found
  const { taken } = takeUpTo(filled, filled.length, ({ text }) => Buffer.byteLength(text))
  const { epoch } = await openCollection(store, user, collection)
  const objects = emptyRecord<Attributes>()
  const versions = emptyRecord<number>()
  for (const { id, version, text } of taken) {
    objects[id] = parseAttributes(text)
    versions[id] = version
  }
  const rest = [...filled.slice(taken.length).map(({ id }) => id), ...unread]
  return { epoch, objects, versions, ...(rest.length > 0 && { rest }) }
}

/** Reads objects in the order of their ids until they have `READ_BYTES`; `unread` are the ids behind them. */
async function readObjects({ collections }: Pick<Store, 'collections'>, of: CollectionId, ids: readonly ObjectId[]) {
  const found: FoundObject[] = []
  let read = 0
  for (let bytes = 0; read < ids.length && bytes < READ_BYTES; read += AT_ONCE) {
    const look = async (id: ObjectId) => ({ id, present: await collections.look(of, id) })
    for (const { id, present } of await Promise.all(ids.slice(read, read + AT_ONCE).map(look))) {
      if (present.state !== 'live') continue
      const text = attributesText(present.attributes)
      found.push({ id, version: present.version, text })
      bytes += Buffer.byteLength(text)
    }
  }
  return { found, unread: ids.slice(read) }
}

/** Replaces digests by the source's contents. Throws `backend_failed` if a content has changed since. */
async function fillContents(
  engine: CallEngine,
  fetching: ContentsRequest,
  found: readonly FoundObject[],
): Promise<readonly FoundObject[]> {
  const contents = await fetchContents(engine, fetching, found)
  return found.map(object => {
    const text = contents.get(object.id)
    if (text === undefined)
      throw new SyncError('backend_failed', `${fetching.source.name} has changed during the request. Sync again.`)
    return { ...object, text }
  })
}
