import type { CollectionId } from '@godwit/store'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { sweep } from '../sweep.js'
import { find } from './head.js'

const DELETE_COLLECTION = 'DELETE FROM collection WHERE number = ?'
const RECORD_DROPPED = 'INSERT INTO dropped (collection) VALUES (?)'

/** Drops a collection in one step; its rows, which are unreachable then, are removed in small steps. */
export async function drop(database: Database, collection: CollectionId): Promise<void> {
  await database.write(connection => {
    const row = find(connection, collection)
    if (!row) return
    connection.statement(DELETE_COLLECTION).run(row.number)
    connection.statement(RECORD_DROPPED).run(row.number)
  })
  sweep(database)
}

/** Drops all collections in one step; their rows, which are unreachable then, are swept later. */
export function dropAll(connection: SqliteConnection): void {
  connection.run('INSERT INTO dropped SELECT number FROM collection')
  connection.run('DELETE FROM collection')
}
