import type { CollectionId, NextQuery, PendingRemovals, QueryFailure } from '@godwit/store'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { find, headOf } from './head.js'

const REQUEST_QUERY = `
UPDATE collection SET queriesRequested = queriesRequested + 1, queryRequestedAt = ? WHERE number = ?
RETURNING queriesRequested`
const SET_DUE = 'UPDATE collection SET nextQuery = ?, dueSetAt = ? WHERE source = ? AND partition = ?'
const ACCEPT = 'UPDATE collection SET acceptedRemovals = ? WHERE number = ?'
const SET_FAILURE = 'UPDATE collection SET sourceError = ? WHERE source = ? AND partition = ?'
const QUERY_AGAIN = `
UPDATE collection SET nextQuery = ?, dueSetAt = ? WHERE source = ? AND partition = ? AND nextQuery IS ?`

/** The floor's batch always exists; an earlier time yields the floor. */
export const SELECT_VERSION_AT = `
SELECT version FROM batch
WHERE collection = ? AND version > ? AND time <= ?
ORDER BY version DESC LIMIT 1`

export async function requestQuery(database: Database, collection: CollectionId, at?: number): Promise<void> {
  const { source, partition } = collection
  await database.write(connection => {
    if (at !== undefined) connection.statement(SET_DUE).run(at, connection.now(), source, partition)
    else recordQueryRequest(connection, find(connection, collection))
  })
}

/** Requests a query, in the same step as the change that requires it. Returns the number of the request. */
export function recordQueryRequest(
  connection: SqliteConnection,
  collection: { readonly number: number } | undefined,
): number | undefined {
  if (!collection) return undefined
  const statement = connection.statement<{ readonly queriesRequested: number }>(REQUEST_QUERY)
  return statement.get(connection.now(), collection.number)?.queriesRequested
}

/** Sets the next query's time, unless it was changed while the query ran. */
export function queryAgainAt(
  connection: SqliteConnection,
  { source, partition }: CollectionId,
  { nextQuery, nextQueryBefore }: NextQuery,
): void {
  const due = nextQuery === undefined ? [null, null] : [nextQuery, connection.now()]
  connection.statement(QUERY_AGAIN).run(...due, source, partition, nextQueryBefore ?? null)
}

/** Accepts the removals that were held back, if any, and requests a query. */
export function acceptRemovals(database: Database, collection: CollectionId): Promise<PendingRemovals | undefined> {
  return database.write(connection => {
    const row = find(connection, collection)
    const pending = row && headOf(connection, row).pendingRemovals
    if (!row || !pending) return undefined
    connection.statement(ACCEPT).run(pending.sketch, row.number)
    recordQueryRequest(connection, row)
    return pending
  })
}

export async function recordFailure(
  database: Database,
  collection: CollectionId,
  { error, ...times }: QueryFailure,
): Promise<void> {
  await database.write(connection => {
    connection.statement(SET_FAILURE).run(JSON.stringify(error), collection.source, collection.partition)
    queryAgainAt(connection, collection, times)
  })
}

export function versionAt(database: Database, collection: CollectionId, time: number): Promise<number> {
  return database.read(connection => {
    const row = find(connection, collection)
    if (!row) return 0
    const select = connection.statement<{ readonly version: number }>(SELECT_VERSION_AT)
    return select.get(row.number, row.floor, time)?.version ?? row.floor
  })
}
