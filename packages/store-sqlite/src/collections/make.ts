import type { CollectionId } from '@godwit/store'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { type CollectionRow, find } from './head.js'

const INSERT = 'INSERT INTO collection (source, partition, epoch, mark, time) VALUES (?, ?, ?, ?, ?) RETURNING *'
export const INSERT_BATCH = 'INSERT INTO batch (collection, version, mark, time) VALUES (?, ?, ?, ?)'

/** Returns the row of a collection; creates it with a new epoch if it does not exist. */
export function findOrMake(database: Database, connection: SqliteConnection, collection: CollectionId): CollectionRow {
  return find(connection, collection) ?? make(database, connection, collection)
}

/** Creates a collection. Version 0 has a mark as well, for readers of the empty collection. */
function make(database: Database, connection: SqliteConnection, { source, partition }: CollectionId): CollectionRow {
  const epoch = database.randomId()
  const mark = database.randomId()
  const values = [source, partition, epoch, mark, database.now()]
  const row = connection.statement<CollectionRow>(INSERT).get(...values) as CollectionRow
  connection.statement(INSERT_BATCH).run(row.number, 0, mark, row.time)
  return row
}
