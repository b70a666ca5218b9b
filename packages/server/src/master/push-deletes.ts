import type { ObjectId, WriteResult } from '@godwit/protocol'
import { type Batch, MAX_BATCH } from '@godwit/store'
import { applyBatches } from '../batches/apply-batches.js'
import { checkIds, chunks } from '../batches/chunks.js'
import type { Engine } from '../engine.js'
import { notifyUsers } from '../ping/notify.js'
import { verifyInBackground } from './verify.js'
import { type WriteTarget, writeTargetOf } from './write-target.js'

/** Removes objects; each leaves a tombstone, known or not. */
export async function pushDeletes(
  engine: Engine,
  {
    objects,
    verify = false,
    ...target
  }: WriteTarget & { readonly objects: readonly ObjectId[]; readonly verify?: boolean },
): Promise<WriteResult> {
  const collection = await writeTargetOf(engine, target)
  const ids = [...new Set(objects)]
  checkIds(ids)
  const written = await applyBatches(engine, collection, { batches: removals(ids), origin: target.origin })
  await notifyUsers(engine, collection, written)
  if (verify) verifyInBackground(engine, collection)
  return written
}

function* removals(ids: readonly ObjectId[]): Generator<Batch> {
  for (const remove of chunks(ids, MAX_BATCH)) yield { remove }
}
