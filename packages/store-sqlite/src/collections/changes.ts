import type { ChangeRow, Changes, CollectionId, ReadPosition } from '@godwit/store'
import { takeRows, tombstonesAfter, validPosition, ZERO } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { type CollectionRow, find, headOf } from './head.js'

const SELECT_MARK = 'SELECT mark FROM batch WHERE collection = ? AND version = ?'

/** The row value makes this one range of the index; with OR, each page would read all pages before it. */
export const SELECT_CHANGES = `
SELECT id, version, text FROM object
WHERE collection = ? AND (version, id) > (?, ?) AND (text IS NOT NULL OR version > ?)
ORDER BY version, id LIMIT ?`

export function changes(
  database: Database,
  collection: CollectionId,
  { from, limit }: { readonly from?: ReadPosition | undefined; readonly limit: number },
): Promise<Changes | undefined> {
  return database.read(connection => {
    const row = find(connection, collection)
    return row && changesIn(connection, row, from, limit)
  })
}

export function changesIn(
  connection: SqliteConnection,
  row: CollectionRow,
  from: ReadPosition | undefined,
  limit: number,
): Changes {
  const head = headOf(connection, row)
  const stands = validPosition(from, head, from && markOf(connection, row, from.head))
  const { version, id } = stands?.after ?? ZERO
  // No version is above the head's, so a device that is up to date is answered without reading objects.
  const mayFind = limit > 0 && version <= head.version
  const rows = connection.statement<ChangeRow>(SELECT_CHANGES)
  const found = mayFind ? rows.iterate(row.number, version, id, tombstonesAfter(stands, head), limit) : []
  return { head, fromZero: stands === undefined, ...takeRows(found, limit) }
}

function markOf(connection: SqliteConnection, collection: CollectionRow, version: number): string | undefined {
  if (version === collection.version) return collection.mark
  return connection.statement<{ readonly mark: string }>(SELECT_MARK).get(collection.number, version)?.mark
}
