import { Checksum, type ObjectId } from '@godwit/protocol'
import type { Applied } from '@godwit/store'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import type { CollectionRow } from './head.js'
import { INSERT_BATCH } from './make.js'

/** What is stored of an object. */
export interface ObjectRow {
  readonly row: number
  readonly version: number
  /** null: a tombstone. */
  readonly text: string | null
}

export interface RowWrite {
  readonly id: ObjectId
  /** What stands there now. */
  readonly present: ObjectRow | undefined
  readonly text: string | null
}

export const SELECT_OBJECT = 'SELECT row, version, text FROM object WHERE collection = ? AND id = ?'
export const INSERT_OBJECT = 'INSERT INTO object (collection, id, version, text) VALUES (?, ?, ?, ?)'
export const UPDATE_OBJECT = 'UPDATE object SET version = ?, text = ? WHERE row = ?'
export const UPDATE_COLLECTION =
  'UPDATE collection SET version = ?, mark = ?, time = ?, count = ?, checksum = ? WHERE number = ?'

/** One batch, one new version; none without rows. */
export function writeBatch(
  database: Database,
  connection: Connection,
  collection: CollectionRow,
  rows: readonly RowWrite[],
): Applied {
  const { number, epoch } = collection
  if (rows.length === 0)
    return { version: collection.version, mark: collection.mark, epoch, changed: 0, count: collection.count }
  const version = collection.version + 1
  const mark = database.randomId()
  // Times never run back, so that a version is the head from its time to the next one's.
  const time = Math.max(collection.time, database.now())
  const { count, checksum } = writeRows(connection, { collection, version, rows })
  connection.statement(UPDATE_COLLECTION).run(version, mark, time, count, checksum, number)
  connection.statement(INSERT_BATCH).run(number, version, mark, time)
  return { version, mark, epoch, changed: rows.length, count }
}

interface Writing {
  readonly collection: CollectionRow
  readonly version: number
  readonly rows: readonly RowWrite[]
}

function writeRows(connection: Connection, { collection, version, rows }: Writing) {
  const insert = connection.statement(INSERT_OBJECT)
  const update = connection.statement(UPDATE_OBJECT)
  const checksum = new Checksum(collection.checksum)
  let count = collection.count
  for (const { id, present, text } of rows) {
    if (present) update.run(version, text, present.row)
    else insert.run(collection.number, id, version, text)
    if (present && present.text !== null) {
      checksum.remove(id, present.version)
      count--
    }
    if (text !== null) {
      checksum.add(id, version)
      count++
    }
  }
  return { count, checksum: checksum.toString() }
}
