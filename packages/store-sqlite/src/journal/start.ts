import type { CollectionId, NotStarted, Start, Started } from '@godwit/store'
import { type FirstStart, obstacle } from '@godwit/store/history'
import { presentOf } from '../collections/read.js'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import { nextFence } from '../leases.js'
import { firstStartOf, type Located, locate, mutationOf, shown } from './entry.js'
import { createOf } from './owners.js'

const START = `
UPDATE mutation SET state = 'started', attempts = attempts + 1, fence = ?, until = ?, firstStart = ? WHERE row = ?`

/** An earlier one of this client for the same object, or one that runs, of any client. */
export const SELECT_BUSY = `
SELECT 1 FROM mutation
WHERE collection = ? AND object = ? AND decided = 0 AND key <> ?
AND (state = 'started' OR (client = ? AND number < ?)) LIMIT 1`

export function start(
  database: Database,
  id: CollectionId,
  key: string,
  options: Start,
): Promise<Started | NotStarted> {
  const work = (connection: Connection) => {
    const located = locate(connection, id, key)
    if (!located) return { refused: 'state' } as const
    const refused = whyNot(connection, located, database.now())
    return refused ? { refused } : begin(connection, located, database.now() + options.milliseconds)
  }
  return options.durable ? database.write(work) : database.writeEarly(work)
}

function whyNot(connection: Connection, { collection, entry }: Located, now: number) {
  const mutation = mutationOf(entry)
  const { client, state, retryAt } = entry
  const values = [collection.number, mutation.object, mutation.key, client, mutation.number] as const
  return obstacle(
    { state, mutation },
    {
      createOf: createOf(connection, collection),
      objectIsBusy: connection.statement(SELECT_BUSY).get(...values) !== undefined,
      retryAt,
      now,
    },
  )
}

/** The object is noted at the first start: conflicts are judged on that, whatever comes later. */
function begin(connection: Connection, { collection, entry }: Located, until: number): Started {
  const first: FirstStart = firstStartOf(entry) ?? {
    before: presentOf(connection, collection, mutationOf(entry).object),
    version: collection.version,
  }
  const fence = nextFence(connection)
  connection.statement(START).run(fence, until, JSON.stringify(first), entry.row)
  const started = { ...entry, state: 'started', attempts: entry.attempts + 1 } as const
  return { entry: shown(started, collection), epoch: collection.epoch, fence, before: first.before }
}
