import type { CollectionId, QueryFailure } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { askScript, failureScript, versionAtScript } from '../scripts/schedule.js'

export async function requestQuery(connection: RedisConnection, collection: CollectionId, at?: number): Promise<void> {
  await connection.run(askScript, connection.keys.of(collection), [at])
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
