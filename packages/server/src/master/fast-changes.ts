import { emptyRecord, type ObjectId, type ObjectMap, type WriteResult } from '@godwit/protocol'
import { type Batch, MAX_BATCH } from '@godwit/store'
import { applyBatches } from '../batches/apply-batches.js'
import { checkIds, chunksByWeight, pick } from '../batches/chunks.js'
import type { Engine } from '../engine.js'
import { notifyUsers } from '../ping/notify.js'
import { type WriteTarget, writeTargetOf } from './write-target.js'

/** Removes the attributes that `before` names, whatever their values, and merges `after`; what both name has the new value. */
export async function fastUpdate(
  engine: Engine,
  { before, after, ...target }: WriteTarget & { readonly before: ObjectMap; readonly after: ObjectMap },
): Promise<WriteResult> {
  const collection = await writeTargetOf(engine, target)
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  checkIds(ids)
  const written = await applyBatches(engine, collection, {
    batches: updates(before, after, ids),
    origin: target.origin,
  })
  await notifyUsers(engine, collection, written)
  return written
}

/** Removes the attributes that are named; an object whose last one goes is gone. */
export const fastDelete = (
  engine: Engine,
  { data, ...target }: WriteTarget & { readonly data: ObjectMap },
): Promise<WriteResult> => fastUpdate(engine, { ...target, before: data, after: {} })

// An object may count twice in a batch: once for what goes, once for what comes.
function* updates(before: ObjectMap, after: ObjectMap, ids: readonly ObjectId[]): Generator<Batch> {
  for (const some of chunksByWeight(after, ids, MAX_BATCH / 2)) {
    yield { removeAttributes: namesOf(pick(before, some)), merge: pick(after, some) }
  }
}

function namesOf(objects: ObjectMap): { readonly [id: ObjectId]: readonly string[] } {
  const names = emptyRecord<readonly string[]>()
  for (const [id, attributes] of Object.entries(objects)) names[id] = Object.keys(attributes)
  return names
}
