import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'
import { pause } from './pause.js'

const SELECT_DROPPED = 'SELECT collection FROM dropped LIMIT 1'
const DELETE_DROPPED = 'DELETE FROM dropped WHERE collection = ?'
const SELECT_DROPPED_BLOB = 'SELECT blob FROM dropped_blob LIMIT 1'
const DELETE_DROPPED_BLOB = 'DELETE FROM dropped_blob WHERE blob = ?'

/** Limits of one step: rows of a table, or parts of a blob. */
const BATCH_SIZE = 1_000
const PARTS = 8

/** The tables of a collection, and the columns that identify their rows. */
const TABLES = [
  ['object', 'row'],
  ['batch', 'version'],
  ['change_log', 'version'],
  ['reader', 'reader'],
  ['cursor', 'reader'],
  ['mutation', 'row'],
  ['owner', 'owner, mutation'],
  ['place', 'client, number'],
  ['client', 'client'],
] as const

const DELETE_PARTS = `
DELETE FROM blob_part WHERE blob = ? AND start IN (SELECT start FROM blob_part WHERE blob = ? ORDER BY start LIMIT ${PARTS})`

/** Deletes the rows of dropped collections and blobs in the background, in small steps; the next opening resumes what a closed store leaves. */
export function sweep(database: Database): void {
  void sweepAll(database).catch(() => undefined)
}

async function sweepAll(database: Database): Promise<void> {
  while (!database.closed && (await database.write(sweepStep))) await pause()
}

/** Runs one step. Returns false if nothing was left to sweep. */
function sweepStep(connection: SqliteConnection): boolean {
  const collection = connection.statement<{ readonly collection: number }>(SELECT_DROPPED).get()?.collection
  if (collection === undefined) return sweepBlob(connection)
  for (const [table, key] of TABLES) {
    const some = `SELECT ${key} FROM ${table} WHERE collection = ? LIMIT ${BATCH_SIZE}`
    const sql = `DELETE FROM ${table} WHERE collection = ? AND (${key}) IN (${some})`
    if (connection.statement(sql).run(collection, collection).changes > 0) return true
  }
  connection.statement(DELETE_DROPPED).run(collection)
  return true
}

function sweepBlob(connection: SqliteConnection): boolean {
  const blob = connection.statement<{ readonly blob: number }>(SELECT_DROPPED_BLOB).get()?.blob
  if (blob === undefined) return false
  if (connection.statement(DELETE_PARTS).run(blob, blob).changes === 0)
    connection.statement(DELETE_DROPPED_BLOB).run(blob)
  return true
}
