import { outcomeWithoutContent, withoutContent } from '@godwit/store/history'
import type { CollectionRow } from '../collections/head.js'
import type { Connection } from '../connection.js'
import { clientOf } from './clients.js'
import { COLUMNS, type Entry, entryOf, type MutationRow, outcomeIn } from './entry.js'

const RAISE = 'UPDATE client SET acknowledged = ? WHERE collection = ? AND client = ?'

export const SELECT_ACKNOWLEDGED = `
SELECT ${COLUMNS} FROM mutation
WHERE collection = ? AND client = ? AND outcomeNumber > ? AND outcomeNumber <= ? AND decided = 1`

/** Without its number the index of outcomes stays as small as what is not acknowledged. */
const EMPTY = 'UPDATE mutation SET content = ?, outcome = ?, outcomeNumber = NULL, firstStart = NULL WHERE row = ?'

/** Contents go; numbers, keys and what decides about owners stay. A number above the last outcome is ignored. */
export function acknowledge(connection: Connection, collection: CollectionRow, client: string, through: number): void {
  const { acknowledged, outcomes } = clientOf(connection, collection, client)
  if (through > outcomes || through <= acknowledged) return
  const values = [collection.number, client, acknowledged, through] as const
  const rows = connection.statement<MutationRow>(SELECT_ACKNOWLEDGED).all(...values)
  for (const row of rows) empty(connection, entryOf(row))
  connection.statement(RAISE).run(through, collection.number, client)
}

function empty(connection: Connection, entry: Entry): void {
  const given = outcomeIn(entry)
  const outcome = given ? JSON.stringify(outcomeWithoutContent(given)) : null
  connection.statement(EMPTY).run(JSON.stringify(withoutContent(entry.mutation)), outcome, entry.row)
}
