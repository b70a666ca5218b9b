import type { ObjectId } from '@godwit/protocol'
import type { Applied, Batch, CollectionId, Guard, Refused } from '@godwit/store'
import { changesByObject, type ObjectChange } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { type CollectionRow, find } from './head.js'
import { findOrMake } from './make.js'
import { OpenBatch } from './open-batch.js'

export async function apply(
  database: Database,
  collection: CollectionId,
  batch: Batch,
  guard: Guard = {},
): Promise<Applied | Refused<'epoch'>> {
  const changes = changesByObject(batch)
  return database.write(connection => {
    if (guard.epoch === undefined)
      return applyTo(database, connection, findOrMake(database, connection, collection), changes)
    const row = find(connection, collection)
    return row?.epoch === guard.epoch ? applyTo(database, connection, row, changes) : { refused: 'epoch' }
  })
}

function applyTo(
  database: Database,
  connection: SqliteConnection,
  collection: CollectionRow,
  changes: ReadonlyMap<ObjectId, ObjectChange>,
): Applied {
  const batch = new OpenBatch(database, connection, collection)
  for (const [id, change] of changes) batch.hear(id, change)
  return batch.close()
}
