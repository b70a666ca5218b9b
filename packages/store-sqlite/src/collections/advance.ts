import type { ObjectId } from '@godwit/protocol'
import type { AdvancedBatch, AdvanceOptions, Batch, CollectionId, RefusedWrite } from '@godwit/store'
import { attributesText, changesByObject, judgeAdvance, nextQueryAfter, type ObjectChange } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { type CollectionRow, find } from './head.js'
import { OpenBatch } from './open-batch.js'
import { queryAgainAt } from './schedule.js'

/** The cursor of a collection belongs to the reader of its source's changes; feeds have theirs elsewhere. */
const CHANGES = 'changes'

const SELECT_READER = 'SELECT fence FROM cursor WHERE collection = ? AND reader = ?'
const SELECT_CURSOR = `SELECT cursor FROM cursor WHERE collection = ? AND reader = '${CHANGES}'`
const PUT_FENCE = `
INSERT INTO cursor (collection, reader, fence) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET fence = excluded.fence`
const PUT_CURSOR = `
INSERT INTO cursor (collection, reader, fence, cursor) VALUES (?, '${CHANGES}', 0, ?)
ON CONFLICT DO UPDATE SET cursor = excluded.cursor`
const RECORD_END = 'UPDATE collection SET queriesServed = max(queriesServed, ?), sourceError = NULL WHERE number = ?'

type Refusal = RefusedWrite<'epoch' | 'fence' | 'floor' | 'cursor'>

/** Applies reported changes, moves the cursor and records the end of a run, in one transaction. */
export async function advance(
  database: Database,
  collection: CollectionId,
  { batch, options }: { readonly batch: Pick<Batch, 'replace' | 'remove'>; readonly options: AdvanceOptions },
): Promise<AdvancedBatch | Refusal> {
  const changes = changesByObject(batch)
  return database.write(connection => {
    const row = find(connection, collection)
    const known = { fence: row ? fenceOf(connection, row, options.reader) : 0, cursor: cursorOf(connection, row) }
    const refused = judgeAdvance(row, options, known)
    if (refused || !row) return refused ?? { refused: 'epoch' }
    if (known.fence < options.fence) connection.statement(PUT_FENCE).run(row.number, options.reader, options.fence)
    const advanced = write(new OpenBatch(database, connection, row), changes, options.since)
    if (advanced.spared.length === 0) recordPosition(connection, row, options)
    return advanced
  })
}

function write(batch: OpenBatch, changes: ReadonlyMap<ObjectId, ObjectChange>, since: number): AdvancedBatch {
  batch.from({ kind: 'query' })
  const spared: ObjectId[] = []
  for (const [id, { replace, remove }] of changes) {
    const text = remove || !replace ? null : attributesText(replace)
    if (!batch.advance(id, text, since)) spared.push(id)
  }
  return { ...batch.close(), spared }
}

function recordPosition(connection: SqliteConnection, row: CollectionRow, { cursor, end }: AdvanceOptions): void {
  if (cursor !== undefined && cursor.next !== cursor.previous)
    connection.statement(PUT_CURSOR).run(row.number, cursor.next)
  if (end === undefined) return
  connection.statement(RECORD_END).run(end.queriesRequested, row.number)
  queryAgainAt(connection, row, nextQueryAfter(end, undefined, connection.now()))
}

const fenceOf = (connection: SqliteConnection, { number }: CollectionRow, reader: string): number =>
  connection.statement<{ readonly fence: number }>(SELECT_READER).get(number, reader)?.fence ?? 0

function cursorOf(connection: SqliteConnection, row: CollectionRow | undefined): string | null {
  const select = connection.statement<{ readonly cursor: string | null }>(SELECT_CURSOR)
  return (row && select.get(row.number)?.cursor) ?? null
}

export function cursor(database: Database, collection: CollectionId): Promise<string | null> {
  return database.read(connection => cursorOf(connection, find(connection, collection)))
}
