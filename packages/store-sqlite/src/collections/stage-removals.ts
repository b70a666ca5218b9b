import type { ObjectId } from '@godwit/protocol'
import type { SqliteConnection } from '../connection.js'
import { pause } from '../pause.js'
import { type CollectionRow, find } from './head.js'
import { type ObjectRow, SELECT_OBJECT } from './open-batch.js'
import type { QueryReplacement, StagedResult } from './stage.js'

/** How many objects are compared before the event loop continues. */
const BATCH_SIZE = 2_000

export const SELECT_WALK = `
SELECT id, version, text IS NOT NULL AS lives FROM object
WHERE collection = ? AND id > ? AND (text IS NOT NULL OR version > ?)
ORDER BY id LIMIT ?`

interface WalkedRow {
  readonly id: ObjectId
  readonly version: number
  readonly lives: number
}

/**
 * Stages the removal of objects that the query result lacks, except those changed since the query began. Returns how many of these changed objects
 * differ from the query result.
 */
export async function stageRemovals(replacing: QueryReplacement, seen: StagedResult, since: number): Promise<number> {
  const { database, collection, staging } = replacing
  let spared = 0
  for (let after: ObjectId | undefined = ''; after !== undefined; await pause()) {
    const from: ObjectId = after
    after = database.readNow(connection => {
      const row = find(connection, collection)
      if (!row || isAllSeen(row, seen)) return undefined
      const page = connection.statement<WalkedRow>(SELECT_WALK).all(row.number, from, since, BATCH_SIZE)
      for (const walked of page) {
        if (walked.version <= since && !seen.ids.has(walked.id)) staging.remove(walked.id)
        if (walked.version > since && differs(connection, row, { walked, seen })) spared++
      }
      return page.length < BATCH_SIZE ? undefined : page.at(-1)?.id
    })
  }
  return spared
}

/** True if the collection is unchanged since the first comparison, and the query result has all its objects. */
const isAllSeen = (row: CollectionRow, seen: StagedResult) =>
  seen.live === row.count && (seen.version ?? 0) === row.version

function differs(
  connection: SqliteConnection,
  { number }: CollectionRow,
  { walked, seen }: { walked: WalkedRow; seen: StagedResult },
) {
  if (!seen.ids.has(walked.id)) return walked.lives === 1
  const text = connection.statement<ObjectRow>(SELECT_OBJECT).get(number, walked.id)?.text ?? null
  return !seen.ids.settles(walked.id, text)
}
