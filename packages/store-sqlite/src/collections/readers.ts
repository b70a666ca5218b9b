import type { CollectionId, Reader } from '@godwit/store'
import type { Database } from '../database.js'
import { find } from './head.js'

const PUT_READER = 'INSERT OR REPLACE INTO reader (collection, reader, base, at) VALUES (?, ?, ?, ?)'
const SELECT = 'SELECT reader, base, at FROM reader WHERE collection = ? ORDER BY reader'
const DELETE = 'DELETE FROM reader WHERE collection = ? AND reader = ?'

/** Records a reader's position as a hint, without waiting for the disk. */
export async function recordReader(
  database: Database,
  collection: CollectionId,
  reader: string,
  base: number,
): Promise<void> {
  await database.writeEarly(connection => {
    const row = find(connection, collection)
    if (row) connection.statement(PUT_READER).run(row.number, reader, base, database.now())
  })
}

export function readers(database: Database, collection: CollectionId): Promise<readonly Reader[]> {
  return database.readAll(connection => {
    const row = find(connection, collection)
    return row ? connection.statement<Reader>(SELECT).all(row.number) : []
  })
}

export async function dropReader(database: Database, collection: CollectionId, reader: string): Promise<void> {
  await database.write(connection => {
    const row = find(connection, collection)
    if (row) connection.statement(DELETE).run(row.number, reader)
  })
}
