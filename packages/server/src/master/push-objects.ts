import type { ObjectMap, WriteResult } from '@godwit/protocol'
import { type Batch, MAX_BATCH } from '@godwit/store'
import { applyBatches } from '../batches/apply-batches.js'
import { checkIds, chunksByWeight, pick } from '../batches/chunks.js'
import type { Engine } from '../engine.js'
import { notifyUsers } from '../ping/notify.js'
import { verifyInBackground } from './verify.js'
import { type WriteTarget, writeTargetOf } from './write-target.js'

/** Merges objects into a collection: attributes that are sent are set, those that are `null` go, missing objects are created. */
export async function pushObjects(
  engine: Engine,
  { objects, verify = false, ...target }: WriteTarget & { readonly objects: ObjectMap; readonly verify?: boolean },
): Promise<WriteResult> {
  const collection = await writeTargetOf(engine, target)
  const ids = Object.keys(objects)
  checkIds(ids)
  const written = await applyBatches(engine, collection, { batches: merges(objects, ids), origin: target.origin })
  await notifyUsers(engine, collection, written)
  if (verify) verifyInBackground(engine, collection)
  return written
}

function* merges(objects: ObjectMap, ids: readonly string[]): Generator<Batch> {
  for (const some of chunksByWeight(objects, ids, MAX_BATCH))
    yield { merge: some.length === ids.length ? objects : pick(objects, some) }
}
