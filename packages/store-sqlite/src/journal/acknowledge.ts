import { outcomeWithoutContent, withoutContent } from '@godwit/store/history'
import type { CollectionRow } from '../collections/head.js'
import type { Connection } from '../connection.js'
import { clientOf } from './clients.js'
import { COLUMNS, type MutationRow, mutationOf, outcomeOfRow } from './entry.js'

const RAISE = 'UPDATE client SET acknowledged = ? WHERE collection = ? AND client = ?'

export const SELECT_ACKNOWLEDGED = `
SELECT ${COLUMNS} FROM mutation
WHERE collection = ? AND client = ? AND outcomeNumber > ? AND outcomeNumber <= ? AND decided = 1`

const EMPTY = 'UPDATE mutation SET content = ?, outcome = ?, firstStart = NULL WHERE row = ?'

/** Contents go; numbers, keys and what decides about owners stay. A number above the last outcome is ignored. */
export function acknowledge(connection: Connection, collection: CollectionRow, client: string, through: number): void {
  const { acknowledged, outcomes } = clientOf(connection, collection, client)
  if (through > outcomes || through <= acknowledged) return
  const values = [collection.number, client, acknowledged, through] as const
  for (const entry of connection.statement<MutationRow>(SELECT_ACKNOWLEDGED).all(...values)) empty(connection, entry)
  connection.statement(RAISE).run(through, collection.number, client)
}

function empty(connection: Connection, entry: MutationRow): void {
  const outcome = outcomeOfRow(entry)
  const outcomeText = outcome ? JSON.stringify(outcomeWithoutContent(outcome)) : null
  connection.statement(EMPTY).run(JSON.stringify(withoutContent(mutationOf(entry))), outcomeText, entry.row)
}
