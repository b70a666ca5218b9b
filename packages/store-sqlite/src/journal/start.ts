import { type CollectionId, isFromClockAhead, type StartedMutation, type StartRefusal } from '@godwit/store'
import { type FirstStart, obstacle } from '@godwit/store/history'
import { find } from '../collections/head.js'
import { presentOf } from '../collections/read.js'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { entryOfKey, firstStartIn, type LocatedMutation, toJournalEntry } from './entry.js'
import { createOf } from './owners.js'

/** An earlier mutation of this client for the same object, or a started one of any client. */
export const SELECT_BUSY = `
SELECT 1 FROM mutation
WHERE collection = ? AND object = ? AND decided = 0 AND key <> ?
AND (state = 'started' OR (client = ? AND number < ?)) LIMIT 1`

const START = `
UPDATE mutation SET state = 'started', attempts = attempts + 1, fence = ?, until = ?, waitsSince = ?, firstStart = ? WHERE row = ?`

/** One start of a batch. `milliseconds` is the length of its lease. */
export interface StartRequest {
  readonly key: string
  readonly milliseconds: number
}

/** Starts mutations in order, each as if it were alone. */
export function start(
  database: Database,
  connection: SqliteConnection,
  id: CollectionId,
  all: readonly StartRequest[],
): readonly (StartedMutation | StartRefusal)[] {
  const collection = find(connection, id)
  return all.map(({ key, milliseconds }) => {
    const entry = collection && entryOfKey(connection, collection, key)
    if (!entry) return { refused: 'state' }
    const located = { collection, entry }
    const refused = obstacleOf(connection, located, database.now())
    return refused ? { refused } : begin(database, connection, located, milliseconds)
  })
}

function obstacleOf(connection: SqliteConnection, { collection, entry }: LocatedMutation, now: number) {
  const { object, key, number } = entry.mutation
  const busy = connection.statement(SELECT_BUSY).get(collection.number, object, key, entry.client, number)
  const facts = {
    createOf: createOf(connection, collection),
    retryAt: isFromClockAhead(entry.waitsSince, now) ? 0 : entry.retryAt,
    now,
  }
  return obstacle(entry, { ...facts, objectIsBusy: busy !== undefined })
}

/** Starts a mutation. The object's state at its first start is recorded: conflicts are judged by it, regardless of later changes. */
function begin(
  database: Database,
  connection: SqliteConnection,
  { collection, entry }: LocatedMutation,
  milliseconds: number,
): StartedMutation {
  const first: FirstStart = firstStartIn(entry) ?? {
    before: presentOf(connection, collection, entry.mutation.object),
    version: collection.version,
  }
  const fence = database.nextFence()
  const now = database.now()
  connection.statement(START).run(fence, now + milliseconds, now, JSON.stringify(first), entry.row)
  const started = { ...entry, state: 'started', attempts: entry.attempts + 1 } as const
  return { entry: toJournalEntry(started, collection), epoch: collection.epoch, fence, before: first.before }
}
