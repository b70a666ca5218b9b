import { type Attributes, emptyRecord, type ObjectId, type ObjectMap } from '@godwit/protocol'
import type { ChangeRow, CollectionId, RowPage, StoredObjectState } from '@godwit/store'
import { parseAttributes, takeRows } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { type CollectionRow, find } from './head.js'
import { type ObjectRow, SELECT_OBJECT } from './open-batch.js'

export const SELECT_LIST = `
SELECT id, version, text FROM object
WHERE collection = ? AND id > ? AND text IS NOT NULL
ORDER BY id LIMIT ?`

export function get(database: Database, collection: CollectionId, ids: readonly ObjectId[]): Promise<ObjectMap> {
  return database.read(connection => {
    const objects = emptyRecord<Attributes>()
    const row = find(connection, collection)
    if (!row) return objects
    for (const id of ids) {
      const present = presentOf(connection, row, id)
      if (present.state === 'live') objects[id.toWellFormed()] = present.attributes
    }
    return objects
  })
}

export function look(database: Database, collection: CollectionId, id: ObjectId): Promise<StoredObjectState> {
  return database.read(connection => {
    const row = find(connection, collection)
    return row ? presentOf(connection, row, id) : { state: 'never' }
  })
}

/** Reads the present state of an object. */
export function presentOf(connection: SqliteConnection, collection: CollectionRow, id: ObjectId): StoredObjectState {
  return presentIn(connection.statement<ObjectRow>(SELECT_OBJECT).get(collection.number, id))
}

/** The state of an object by its row; without a row it never existed. */
export function presentIn(row: ObjectRow | undefined): StoredObjectState {
  if (!row) return { state: 'never' }
  const { version, text } = row
  return text === null ? { state: 'gone', version } : { state: 'live', version, attributes: parseAttributes(text) }
}

export function list(
  database: Database,
  collection: CollectionId,
  { after = '', limit }: { readonly after?: ObjectId | undefined; readonly limit: number },
): Promise<RowPage> {
  return database.read(connection => {
    const row = find(connection, collection)
    return takeRows(row ? connection.statement<ChangeRow>(SELECT_LIST).iterate(row.number, after, limit) : [], limit)
  })
}
