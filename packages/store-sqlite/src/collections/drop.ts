import type { CollectionId } from '@godwit/store'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import { pause } from '../pause.js'
import { find } from './head.js'

const DELETE_COLLECTION = 'DELETE FROM collection WHERE number = ?'
const NOTE_DROPPED = 'INSERT INTO dropped (collection) VALUES (?)'
const SELECT_DROPPED = 'SELECT collection FROM dropped LIMIT 1'
const DELETE_DROPPED = 'DELETE FROM dropped WHERE collection = ?'

/** One step of a sweep takes at most this many rows of a table. */
const STEP = 1_000

/** What belongs to a collection, and what tells its rows apart. */
const TABLES = [
  ['object', 'row'],
  ['batch', 'version'],
  ['reader', 'reader'],
  ['mutation', 'row'],
  ['owner', 'owner, mutation'],
  ['place', 'client, number'],
  ['client', 'client'],
] as const

/** The collection is gone at once; its rows, which nobody finds any more, are swept in small steps. */
export async function drop(database: Database, collection: CollectionId): Promise<void> {
  await database.write(connection => {
    const row = find(connection, collection)
    if (!row) return
    connection.statement(DELETE_COLLECTION).run(row.number)
    connection.statement(NOTE_DROPPED).run(row.number)
  })
  sweep(database)
}

export function dropAll(connection: Connection): void {
  connection.run('INSERT INTO dropped SELECT number FROM collection')
  connection.run('DELETE FROM collection')
}

/** Goes on in the background until nothing is left; what a closed store leaves is swept by the next. */
export function sweep(database: Database): void {
  void sweepAll(database).catch(() => undefined)
}

async function sweepAll(database: Database): Promise<void> {
  while (!database.closed && (await database.write(sweepStep))) await pause()
}

/** False: there was nothing to sweep. */
function sweepStep(connection: Connection): boolean {
  const collection = connection.statement<{ readonly collection: number }>(SELECT_DROPPED).get()?.collection
  if (collection === undefined) return false
  for (const [table, key] of TABLES) {
    const some = `SELECT ${key} FROM ${table} WHERE collection = ? LIMIT ${STEP}`
    const sql = `DELETE FROM ${table} WHERE collection = ? AND (${key}) IN (${some})`
    if (connection.statement(sql).run(collection, collection).changes > 0) return true
  }
  connection.statement(DELETE_DROPPED).run(collection)
  return true
}
