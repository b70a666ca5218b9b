import { type DocumentContent, type ObjectId, type ObjectMap, SyncError } from '@godwit/protocol'
import { type Batch, type CollectionId, MAX_BATCH, type WriterOrigin } from '@godwit/store'
import { applyBatches } from '../../backend/batches/apply-batches.js'
import { checkIds, chunks, chunksByWeight, pick } from '../../backend/batches/chunks.js'
import type { AdminEngine } from '../admin-engine.js'

interface ObjectsWrite {
  readonly data: DocumentContent
  readonly append: boolean
  /** The writer, for the change log. */
  readonly origin?: WriterOrigin | undefined
}

type WriteEngine = Pick<AdminEngine, 'store' | 'changes' | 'reporter'>

/** Replaces the objects of a collection, or merges into them; devices receive the changes. Read state and due times do not change. */
export async function writeObjects(
  engine: WriteEngine,
  collection: CollectionId,
  { data, append, origin }: ObjectsWrite,
): Promise<void> {
  refuseText('md', data)
  const ids = Object.keys(data)
  checkIds(ids)
  const batches = append ? mergeBatches(data, ids) : replaceBatches(engine, collection, data)
  await applyBatches(engine, collection, { batches, origin })
}

/** Throws `body_invalid` for text where a document contains objects. */
export function refuseText(doc: string, data: DocumentContent): asserts data is ObjectMap {
  if (typeof data !== 'string') return
  const message = 'expected a map of object ids to objects, got a text'
  throw new SyncError('body_invalid', `The document ${doc}: ${message}.`, {
    details: { errors: [{ path: '/data', message }] },
  })
}

function* mergeBatches(data: ObjectMap, ids: readonly ObjectId[]): Generator<Batch> {
  for (const some of chunksByWeight(data, ids, MAX_BATCH)) yield { merge: pick(data, some) }
}

/** Changes first, removals last, so that an object that stays is never missing in between. */
async function* replaceBatches(
  { store }: WriteEngine,
  collection: CollectionId,
  data: ObjectMap,
): AsyncGenerator<Batch> {
  const ids = Object.keys(data)
  const extra = await idsMissingIn(store, collection, data)
  const lists = [...chunksByWeight(data, ids, MAX_BATCH)]
  if (lists.length <= 1 && ids.length + extra.length <= MAX_BATCH) return yield { replace: data, remove: extra }
  for (const some of lists) yield { replace: pick(data, some) }
  for (const remove of chunks(extra, MAX_BATCH)) yield { remove }
}

async function idsMissingIn(
  { collections }: WriteEngine['store'],
  collection: CollectionId,
  data: ObjectMap,
): Promise<readonly ObjectId[]> {
  const others: ObjectId[] = []
  for (let after: ObjectId | undefined; ; ) {
    const { rows, more } = await collections.list(collection, { after, limit: MAX_BATCH })
    for (const { id } of rows) if (!Object.hasOwn(data, id)) others.push(id)
    after = rows.at(-1)?.id
    if (!more) return others
  }
}
