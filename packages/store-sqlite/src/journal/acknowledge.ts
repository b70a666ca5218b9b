import type { CollectionRow } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import { clientOf } from './clients.js'

const RAISE = 'UPDATE client SET acknowledged = ? WHERE collection = ? AND client = ?'

/** What `withoutContent` and `outcomeWithoutContent` leave. Without its number the index of outcomes stays as small as what is not acknowledged. */
export const EMPTY_ACKNOWLEDGED = `
UPDATE mutation SET
  content = json_remove(content, '$.attributes', '$.was', '$.changed'),
  outcome = json_remove(outcome, '$.attributes', '$.error'),
  outcomeNumber = NULL,
  firstStart = NULL
WHERE collection = ? AND client = ? AND outcomeNumber > ? AND outcomeNumber <= ? AND decided = 1`

/** Contents go; numbers, keys and what decides about owners stay. A number above the last outcome is ignored. */
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
