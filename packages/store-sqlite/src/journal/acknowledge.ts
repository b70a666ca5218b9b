import type { CollectionRow } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import { clientOf } from './clients.js'

const RAISE = 'UPDATE client SET acknowledged = ? WHERE collection = ? AND client = ?'

/**
 * Leaves what `withoutContent` and `outcomeWithoutContent` do. Clearing the number keeps the index of outcomes as small as the unacknowledged ones.
 */
export const EMPTY_ACKNOWLEDGED = `
UPDATE mutation SET
  content = json_remove(content, '$.attributes', '$.was', '$.was_digests', '$.changed'),
  outcome = json_remove(outcome, '$.attributes', '$.overwrote', '$.moved', '$.error'),
  outcomeNumber = NULL,
  firstStart = NULL
WHERE collection = ? AND client = ? AND outcomeNumber > ? AND outcomeNumber <= ? AND decided = 1`

/**
 * Deletes the contents of acknowledged entries; numbers, keys and fields that decide about owners remain. Ignores a number above the last outcome.
 */
export function acknowledge(
  connection: SqliteConnection,
  collection: CollectionRow,
  client: string,
  through: number,
): void {
  const { acknowledged, outcomes } = clientOf(connection, collection, client)
  if (through > outcomes || through <= acknowledged) return
  connection.statement(EMPTY_ACKNOWLEDGED).run(collection.number, client, acknowledged, through)
  connection.statement(RAISE).run(through, collection.number, client)
}
