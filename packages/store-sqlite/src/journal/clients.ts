import type { CollectionRow } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'

/** The journal's counters of one client. */
export interface ClientRow {
  readonly highest: number
  readonly outcomes: number
  readonly acknowledged: number
}

const SELECT = 'SELECT highest, outcomes, acknowledged FROM client WHERE collection = ? AND client = ?'

/** Returns the counters of a client; zeros if it is unknown. */
export function clientOf(connection: SqliteConnection, { number }: CollectionRow, client: string): ClientRow {
  return connection.statement<ClientRow>(SELECT).get(number, client) ?? { highest: 0, outcomes: 0, acknowledged: 0 }
}

const RAISE = `
INSERT INTO client (collection, client, highest) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET highest = max(highest, excluded.highest)`

/** Records the highest number that a client pushed. A lower one has no effect. */
export function raiseHighest(
  connection: SqliteConnection,
  { number }: CollectionRow,
  client: string,
  highest: number,
): void {
  connection.statement(RAISE).run(number, client, highest)
}

const NEXT_OUTCOME = `
INSERT INTO client (collection, client, outcomes) VALUES (?, ?, 1)
ON CONFLICT DO UPDATE SET outcomes = outcomes + 1 RETURNING outcomes`

/** Increments a client's number of outcomes and returns it. */
export function nextOutcome(connection: SqliteConnection, { number }: CollectionRow, client: string): number {
  const { outcomes } = connection
    .statement<{ readonly outcomes: number }>(NEXT_OUTCOME)
    .get(number, client) as ClientRow
  return outcomes
}

const SELECT_KEY = 'SELECT key FROM place WHERE collection = ? AND client = ? AND number = ?'
const RECORD_PLACE = 'INSERT OR REPLACE INTO place (collection, client, number, key) VALUES (?, ?, ?, ?)'

/** Returns the key that a client pushed under a number. */
export function keyOf(
  connection: SqliteConnection,
  { number }: CollectionRow,
  client: string,
  of: number,
): string | undefined {
  return connection.statement<{ readonly key: string }>(SELECT_KEY).get(number, client, of)?.key
}

/** Records the key that a client pushed under a number. */
export function recordPlace(
  connection: SqliteConnection,
  { number }: CollectionRow,
  place: { readonly client: string; readonly number: number; readonly key: string },
): void {
  connection.statement(RECORD_PLACE).run(number, place.client, place.number, place.key)
}

const DELETE_DECIDED = 'DELETE FROM mutation WHERE collection = ? AND client = ? AND decided = 1'
const DELETE_PLACES = 'DELETE FROM place WHERE collection = ? AND client = ?'
const CLOSE_CLIENT = 'UPDATE client SET acknowledged = outcomes + 1 WHERE collection = ? AND client = ?'
const FORGET_OUTCOMES =
  'UPDATE mutation SET outcomeNumber = NULL WHERE collection = ? AND client = ? AND outcomeNumber IS NOT NULL'

/**
 * Deletes a client's decided mutations. Undecided ones stay without their numbers; a late push in its name is refused, since it is older than the
 * acknowledged outcomes.
 */
export function dropClient(connection: SqliteConnection, { number }: CollectionRow, client: string): void {
  for (const sql of [DELETE_DECIDED, DELETE_PLACES, CLOSE_CLIENT, FORGET_OUTCOMES])
    connection.statement(sql).run(number, client)
}
