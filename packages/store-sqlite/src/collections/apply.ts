import type { ObjectId } from '@godwit/protocol'
import type { AppliedBatch, ApplyOptions, Batch, CollectionId, RefusedWrite } from '@godwit/store'
import { changesByObject, type ObjectChange } from '@godwit/store/history'
import type { Database } from '../database.js'
import { find } from './head.js'
import { findOrMake } from './make.js'
import { OpenBatch } from './open-batch.js'

export async function apply(
  database: Database,
  collection: CollectionId,
  batch: Batch,
  { epoch, origin }: ApplyOptions = {},
): Promise<AppliedBatch | RefusedWrite<'epoch'>> {
  const changes = changesByObject(batch)
  return database.write(connection => {
    const row = epoch === undefined ? findOrMake(database, connection, collection) : find(connection, collection)
    if (!row || (epoch !== undefined && row.epoch !== epoch)) return { refused: 'epoch' }
    return applyTo(new OpenBatch(database, connection, row).from(origin), changes)
  })
}

function applyTo(batch: OpenBatch, changes: ReadonlyMap<ObjectId, ObjectChange>): AppliedBatch {
  for (const [id, change] of changes) batch.hear(id, change)
  return batch.close()
}
