import type { SourceError } from '@godwit/protocol'
import type { CollectionId, RefusedWrite, ReleasedMutation } from '@godwit/store'
import type { Database } from '../database.js'
import { doubt } from './decide.js'
import { locate } from './entry.js'

const REQUEUE = "UPDATE mutation SET state = 'queued', retryAt = ?, waitsSince = ? WHERE row = ?"
const RETRY = "UPDATE mutation SET state = 'queued', retryAt = 0, outcomeNumber = NULL, outcome = NULL WHERE row = ?"

/** How to release a start. `retryIn` is in milliseconds; default immediately. */
export interface ReleaseOptions {
  readonly fence: number
  readonly to: 'queued' | 'in_doubt'
  readonly retryIn?: number | undefined
  readonly error?: SourceError | undefined
}

/** Ends a start without an outcome: the entry is queued again, or in doubt. */
export function release(
  database: Database,
  id: CollectionId,
  key: string,
  { fence, to, retryIn, error }: ReleaseOptions,
): Promise<ReleasedMutation | RefusedWrite<'state'>> {
  return database.write(connection => {
    const located = locate(connection, id, key)
    if (located?.entry.state !== 'started' || located.entry.fence !== fence) return { refused: 'state' }
    const now = database.now()
    connection.statement(REQUEUE).run(retryIn === undefined ? 0 : now + retryIn, now, located.entry.row)
    return to === 'in_doubt' ? { released: to, queryRequest: doubt(connection, located, error) } : { released: to }
  })
}

/** Queues a mutation in doubt again. */
export function retry(database: Database, id: CollectionId, key: string): Promise<'released' | RefusedWrite<'state'>> {
  return database.write(connection => {
    const located = locate(connection, id, key)
    if (located?.entry.state !== 'in_doubt') return { refused: 'state' }
    connection.statement(RETRY).run(located.entry.row)
    return 'released'
  })
}
