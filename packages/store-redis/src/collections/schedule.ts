import type { CollectionId, PendingRemovals, QueryFailure } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { acceptRemovalsScript, askScript, failureScript, versionAtScript } from '../scripts/schedule.js'

export async function requestQuery(connection: RedisConnection, collection: CollectionId, at?: number): Promise<void> {
  await connection.run(askScript, connection.keys.of(collection), [at])
}

/** Accepts the removals that were held back, if any, and requests a query. Repeats if a query changed them meanwhile. */
export async function acceptRemovals(
  connection: RedisConnection,
  collection: CollectionId,
): Promise<PendingRemovals | undefined> {
  const naming = connection.keys.of(collection)
  let read = await connection.command(naming('head'), 'HGET', 'pendingRemovals')
  while (typeof read === 'string') {
    const pending = JSON.parse(read) as PendingRemovals
    const present = await connection.run(acceptRemovalsScript, naming, [read, pending.sketch])
    if (present === read) return pending
    read = present
  }
  return undefined
}

export async function recordFailure(
  connection: RedisConnection,
  collection: CollectionId,
  { error, nextQuery, nextQueryBefore }: QueryFailure,
): Promise<void> {
  const values = [JSON.stringify(error), nextQuery, nextQueryBefore]
  await connection.run(failureScript, connection.keys.of(collection), values)
}

export async function versionAt(connection: RedisConnection, collection: CollectionId, time: number): Promise<number> {
  return Number(await connection.run(versionAtScript, connection.keys.of(collection), [time]))
}
