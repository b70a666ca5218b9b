import type { ObjectId } from '@godwit/protocol'
import type { ChangeOrigin, CollectionId, ObjectHistory } from '@godwit/store'
import { type LoggedChange, objectHistory } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import type { ListedChange } from './change-log.js'
import { find } from './head.js'
import { presentOf } from './read.js'

export const SELECT_COMMIT = 'SELECT time, origins, changes FROM change_log WHERE collection = ? AND version = ?'

interface CommitRow {
  readonly time: number
  readonly origins: string
  readonly changes: string | null
}

export function history(
  database: Database,
  collection: CollectionId,
  { id, limit }: { readonly id: ObjectId; readonly limit: number },
): Promise<ObjectHistory> {
  return database.read(connection => {
    const row = find(connection, collection)
    const known = id.toWellFormed()
    const present = row ? presentOf(connection, row, known) : ({ state: 'never' } as const)
    const changeAt = (version: number) => row && changeOf(connection, { collection: row.number, version, id: known })
    return objectHistory(present, changeAt, { limit, now: database.now() })
  })
}

interface ChangeKey {
  readonly collection: number
  readonly version: number
  readonly id: ObjectId
}

function changeOf(connection: SqliteConnection, { collection, version, id }: ChangeKey): LoggedChange | undefined {
  const row = connection.statement<CommitRow>(SELECT_COMMIT).get(collection, version)
  if (!row) return undefined
  const origins = JSON.parse(row.origins) as readonly (ChangeOrigin | null)[]
  const listed = (JSON.parse(row.changes ?? '[]') as readonly ListedChange[]).find(([listed]) => listed === id)
  const origin = origins[listed?.[2] ?? 0] ?? undefined
  return { time: row.time, origin, previous: listed?.[1] }
}
