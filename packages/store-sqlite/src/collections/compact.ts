import type { CollectionId } from '@godwit/store'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { isLeased } from '../leases.js'
import { type CollectionRow, find } from './head.js'

interface CompactResult {
  readonly removed: number
  readonly more: boolean
}

interface Tombstone {
  readonly row: number
  readonly version: number
}

export const SELECT_TOMBSTONES = `
SELECT row, version FROM object
WHERE collection = ? AND version <= ? AND text IS NULL
ORDER BY version, id LIMIT ?`

const DELETE_OBJECT = 'DELETE FROM object WHERE row = ?'
const RAISE_FLOOR = 'UPDATE collection SET floor = max(floor, ?) WHERE number = ? RETURNING floor'

/** Batches below the floor are never read, so those left over can wait for the next call. */
export const DELETE_BATCHES = `
DELETE FROM batch WHERE (collection, version) IN (
  SELECT collection, version FROM batch WHERE collection = ? AND version < ? ORDER BY version LIMIT ?)`

const MAX_BATCHES = 10_000

export function compact(
  database: Database,
  collection: CollectionId,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<CompactResult> {
  return database.write(connection => {
    const row = find(connection, collection)
    if (!row || isLeased(database, connection, { kind: 'query', collection })) return { removed: 0, more: false }
    return compactTo(connection, row, { below: Math.min(below, row.version), limit })
  })
}

function compactTo(
  connection: SqliteConnection,
  { number }: CollectionRow,
  { below, limit }: { readonly below: number; readonly limit: number },
): CompactResult {
  const found = connection.statement<Tombstone>(SELECT_TOMBSTONES).all(number, below, limit + 1)
  const more = found.length > limit
  const gone = found.slice(0, limit)
  for (const { row } of gone) connection.statement(DELETE_OBJECT).run(row)
  const reached = more ? (gone.at(-1)?.version ?? 0) : below
  const { floor } = connection.statement<{ readonly floor: number }>(RAISE_FLOOR).get(reached, number) ?? { floor: 0 }
  connection.statement(DELETE_BATCHES).run(number, floor, MAX_BATCHES)
  return { removed: gone.length, more }
}
