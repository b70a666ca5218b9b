import { type Attributes, emptyRecord, type GotObjects, type ObjectId } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { collectionOf } from '../sources/partition-of.js'

export interface ObjectsRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly ids: readonly ObjectId[]
}

/** Objects by id, each whole and with the version of that moment. */
export async function getObjects(
  { sources, store }: Pick<Engine, 'sources' | 'store'>,
  { source, user, ids }: ObjectsRequest,
): Promise<GotObjects> {
  const collection = collectionOf(await sources.learn(source), user)
  const objects = emptyRecord<Attributes>()
  const versions = emptyRecord<number>()
  const known = await Promise.all(ids.map(async id => [id, await store.collections.look(collection, id)] as const))
  for (const [id, present] of known) {
    if (present.state !== 'live') continue
    objects[id] = present.attributes
    versions[id] = present.version
  }
  const { epoch } = await store.collections.open(collection)
  return { epoch, objects, versions }
}
