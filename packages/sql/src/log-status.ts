import { sql } from 'kysely'
import type { ChangeLog } from './changes/change-log.js'
import type { Connection } from './connection.js'

/** What waits in the log, for people. */
export interface LogStatus {
  /** Changes that no reader has stamped. */
  readonly waiting: number
  /** Bytes, where the database knows them. */
  readonly bytes?: number
  readonly readers: readonly { readonly name: string; readonly behind: number }[]
}

/** Returns how far the readers of the log are. */
export async function logStatus(connection: Connection, log: ChangeLog): Promise<LogStatus> {
  const { change, reader, batch } = log.names
  const [waiting] = await connection.all(
    sql<{ readonly count: unknown }>`SELECT count(*) AS count FROM ${change} WHERE batch IS NULL`,
  )
  const readers = await connection.all(sql<{ readonly name: string; readonly behind: unknown }>`
      SELECT name, (SELECT max(n) FROM ${batch}) - n AS behind FROM ${reader} ORDER BY name`)
  const bytes = await log.size(connection)
  return {
    waiting: Number(waiting?.count ?? 0),
    ...(bytes !== undefined && { bytes }),
    readers: readers.map(({ name, behind }) => ({ name, behind: Number(behind) })),
  }
}
