import { type Attributes, emptyRecord, type GotObjects, type ObjectId, SyncError } from '@godwit/protocol'
import { READ_BYTES } from '@godwit/store'
import { attributesText, parseAttributes } from '@godwit/store/history'
import type { Engine } from '../engine.js'
import { type ContentsRequest, fetchContents } from '../pass-through/contents.js'
import type { CallEngine } from '../sources/call-source.js'
import { collectionOf } from '../sources/partition-of.js'
import { openCollection } from '../users/open-collection.js'

/** A device's request for objects of a source by id. */
export interface ObjectsRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly ids: readonly ObjectId[]
}

/** Number of objects that are read together, before it is known whether they fit. */
const AT_ONCE = 8

/** Returns objects by id, each complete and with its present version, up to `READ_BYTES`, but at least one; the others are left as `rest`. */
export async function getObjects(
  engine: CallEngine & Pick<Engine, 'sources'>,
  { source: name, user, ids }: ObjectsRequest,
): Promise<GotObjects> {
  const { sources, store } = engine
  const source = await sources.learn(name, user)
  const collection = collectionOf(source, user)
  const objects = emptyRecord<Attributes>()
  const versions = emptyRecord<number>()
  const rest = [...ids]
  let bytes = 0
  read: while (rest.length > 0) {
    const some = rest.slice(0, AT_ONCE)
    const known = await Promise.all(some.map(async id => [id, await store.collections.look(collection, id)] as const))
    for (const [id, present] of known) {
      if (present.state === 'live') {
        bytes += Buffer.byteLength(attributesText(present.attributes))
        if (bytes > READ_BYTES && rest.length < ids.length) break read
        objects[id] = present.attributes
        versions[id] = present.version
      }
      rest.shift()
    }
  }
  if (source.passThrough) await fillContents(engine, { source, collection, user, parameters: {} }, objects)
  const { epoch } = await openCollection(store, user, collection)
  return { epoch, objects, versions, ...(rest.length > 0 && { rest }) }
}

/** Replaces digests by the source's contents. Throws `backend_failed` if a content has changed since. */
async function fillContents(
  engine: CallEngine,
  fetching: ContentsRequest,
  objects: Record<ObjectId, Attributes>,
): Promise<void> {
  const kept = Object.entries(objects).map(([id, attributes]) => ({ id, text: attributesText(attributes) }))
  const contents = await fetchContents(engine, fetching, kept)
  for (const { id } of kept) {
    const text = contents.get(id)
    if (text === undefined)
      throw new SyncError('backend_failed', `${fetching.source.name} has changed meanwhile. Sync again.`)
    objects[id] = parseAttributes(text)
  }
}
