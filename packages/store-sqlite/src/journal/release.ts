import type { SourceError } from '@godwit/protocol'
import type { CollectionId, RefusedWrite } from '@godwit/store'
import type { Database } from '../database.js'
import { doubt } from './decide.js'
import { locate } from './entry.js'

const REQUEUE = "UPDATE mutation SET state = 'queued', retryAt = ?, waitsSince = ? WHERE row = ?"
const RETRY = "UPDATE mutation SET state = 'queued', retryAt = 0, outcomeNumber = NULL, outcome = NULL WHERE row = ?"

/** How a start is given up. `retryIn` is in milliseconds; default at once. */
export interface ReleaseOptions {
  readonly fence: number
  readonly to: 'queued' | 'in_doubt'
  readonly retryIn?: number | undefined
  readonly error?: SourceError | undefined
}

/** Gives a start up. */
export function release(
  database: Database,
  id: CollectionId,
  key: string,
  { fence, to, retryIn, error }: ReleaseOptions,
): Promise<'released' | RefusedWrite<'state'>> {
  return database.write(connection => {
    const located = locate(connection, id, key)
    if (located?.entry.state !== 'started' || located.entry.fence !== fence) return { refused: 'state' }
    const now = database.now()
    connection.statement(REQUEUE).run(retryIn === undefined ? 0 : now + retryIn, now, located.entry.row)
    if (to === 'in_doubt') doubt(connection, located, error)
    return 'released'
  })
}

/** Puts one that is in doubt back in line. */
export function retry(database: Database, id: CollectionId, key: string): Promise<'released' | RefusedWrite<'state'>> {
  return database.write(connection => {
    const located = locate(connection, id, key)
    if (located?.entry.state !== 'in_doubt') return { refused: 'state' }
    connection.statement(RETRY).run(located.entry.row)
    return 'released'
  })
}
