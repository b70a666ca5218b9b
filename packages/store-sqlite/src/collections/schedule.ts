import type { CollectionId, QueryFailure } from '@godwit/store'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { find } from './head.js'

const ASK = 'UPDATE collection SET asked = asked + 1, askedAt = ? WHERE number = ?'
const SET_DUE = 'UPDATE collection SET nextQuery = ? WHERE source = ? AND partition = ?'
const SET_FAILURE = `
UPDATE collection SET sourceError = ?, nextQuery = iif(nextQuery IS ?, ?, nextQuery)
WHERE source = ? AND partition = ?`

/** The floor's batch always exists; an earlier time yields the floor. */
export const SELECT_VERSION_AT = `
SELECT version FROM batch
WHERE collection = ? AND version > ? AND time <= ?
ORDER BY version DESC LIMIT 1`

export async function requestQuery(database: Database, collection: CollectionId, at?: number): Promise<void> {
  const { source, partition } = collection
  await database.write(connection => {
    if (at !== undefined) connection.statement(SET_DUE).run(at, source, partition)
    else askNow(connection, find(connection, collection))
  })
}

/** Requests a query, in the same step as the change that requires it. */
export function askNow(connection: SqliteConnection, collection: { readonly number: number } | undefined): void {
  if (collection) connection.statement(ASK).run(connection.now(), collection.number)
}

export async function recordFailure(
  database: Database,
  { source, partition }: CollectionId,
  { error, nextQueryBefore, nextQuery }: QueryFailure,
): Promise<void> {
  await database.write(connection =>
    connection
      .statement(SET_FAILURE)
      .run(JSON.stringify(error), nextQueryBefore ?? null, nextQuery ?? null, source, partition),
  )
}

export function versionAt(database: Database, collection: CollectionId, time: number): Promise<number> {
  return database.read(connection => {
    const row = find(connection, collection)
    if (!row) return 0
    const select = connection.statement<{ readonly version: number }>(SELECT_VERSION_AT)
    return select.get(row.number, row.floor, time)?.version ?? row.floor
  })
}
