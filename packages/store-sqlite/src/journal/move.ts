import type { CollectionRow } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import { nextOutcome, notePlace } from './clients.js'
import { type MutationEntry, outcomeIn } from './entry.js'

const MOVE = 'UPDATE mutation SET client = ?, number = ?, content = ?, outcomeNumber = ?, outcome = ? WHERE row = ?'

/** Under another client or number; the outcome that it has gets a new number there. */
export function move(
  connection: SqliteConnection,
  collection: CollectionRow,
  entry: MutationEntry,
  { client, number }: { readonly client: string; readonly number: number },
): MutationEntry {
  const mutation = { ...entry.mutation, number }
  const content = JSON.stringify(mutation)
  const before = outcomeIn(entry)
  const given = before && { ...before, number, outcome: nextOutcome(connection, collection, client) }
  const outcome = given ? JSON.stringify(given) : null
  connection.statement(MOVE).run(client, number, content, given?.outcome ?? null, outcome, entry.row)
  notePlace(connection, collection, { client, number, key: mutation.key })
  return { ...entry, client, number, mutation, content, outcome }
}
