import type { CollectionId } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { COLLECTION_KEYS } from '../keys.js'
import { leaveIndex } from './names.js'
import { leavePending } from './pending-removals.js'

/** Drops a collection in one step; Redis frees the memory in the background. The leases stay, so that no fence is issued twice. */
export async function drop(connection: RedisConnection, collection: CollectionId): Promise<void> {
  const naming = connection.keys.of(collection)
  const keys = COLLECTION_KEYS.filter(key => key !== 'leases').map(naming)
  await connection.command(keys[0] as string, 'UNLINK', ...keys.slice(1))
  await leaveIndex(connection, collection)
  await leavePending(connection, collection)
}
