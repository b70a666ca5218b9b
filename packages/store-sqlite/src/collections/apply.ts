import type { ObjectId } from '@godwit/protocol'
import type { Applied, Batch, CollectionId, Guard, Refused } from '@godwit/store'
import { changeObject, changesByObject, type ObjectChange } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import { isLeased } from '../leases.js'
import { type CollectionRow, find } from './head.js'
import { findOrMake } from './make.js'
import { type ObjectRow, type RowWrite, SELECT_OBJECT, writeBatch } from './write-batch.js'

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

export function applyTo(
  database: Database,
  connection: Connection,
  collection: CollectionRow,
  changes: ReadonlyMap<ObjectId, ObjectChange>,
): Applied {
  // A running query must see that somebody wrote, even if it was the same.
  const keepEqual = isLeased(database, connection, { kind: 'query', collection })
  const select = connection.statement<ObjectRow>(SELECT_OBJECT)
  const rows: RowWrite[] = []
  for (const [id, change] of changes) {
    const present = select.get(collection.number, id)
    const changed = changeObject(present?.text, change)
    if (changed && (keepEqual || !changed.equal)) rows.push({ id, present, text: changed.text })
  }
  return writeBatch(database, connection, collection, rows)
}
