import type { Attributes } from '@godwit/protocol'
import { emptyRecord, type ObjectId, type ObjectMap } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'
import { chunks } from '../batches/chunks.js'
import { checkPart } from '../query/query-results.js'
import { callSource } from '../sources/call-source.js'
import { proofRecorder } from '../sources/record-proof.js'
import { withLogin } from '../sources/with-login.js'
import type { Reported } from './reported.js'

/** The number of ids in one call. */
const MAX_IDS = 1000

/** A partition of a source, and the user that a call is for. */
export interface ReadTarget {
  readonly source: Source
  readonly collection: CollectionId
  readonly user: string
}

/** Reads the present state of some objects by the source's `get`. Returns undefined for a source without it; throws the source's error. */
export async function getObjects(
  engine: BackendEngine,
  { source, collection, user }: ReadTarget,
  ids: readonly ObjectId[],
): Promise<Reported | undefined> {
  const { get } = source.methods
  if (get === undefined) return undefined
  const objects = emptyRecord<Attributes>()
  const recordProof = proofRecorder(engine, source)
  for (const some of chunks(ids, MAX_IDS)) {
    const call = { source, user, partition: collection.partition, timeout: source.timeout }
    const { beforeTimeout } = callSource(engine, call, (context, holdSignal) =>
      withLogin({ source, context, holdSignal }, () => get(some, { ...context, recordProof })),
    )
    const found = checkPart(source.name, (await beforeTimeout) ?? {}, 'get')
    for (const id of some) if (Object.hasOwn(found, id)) objects[id] = found[id] as ObjectMap[string]
  }
  return { objects, removed: ids.filter(id => !Object.hasOwn(objects, id)) }
}
