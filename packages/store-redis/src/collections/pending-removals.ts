import type { CollectionId } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { afterText, collectionName, parseCollectionName } from '../names.js'

interface PendingPage {
  readonly after?: CollectionId | undefined
  readonly limit: number
}

const PAGE_SIZE = 500

/** Adds a collection to the index of those with removals that were held back, before they are recorded: the index may be on another server. */
export async function enterPending(connection: RedisConnection, collection: CollectionId): Promise<void> {
  await connection.command(connection.keys.index('removals'), 'ZADD', 0, collectionName(collection))
}

/**
 * Removes a collection from the index after its removals were applied, or it was dropped. If it has some again it is added back, since they may have been recorded
 * before the name was removed.
 */
export async function leavePending(connection: RedisConnection, collection: CollectionId): Promise<void> {
  await connection.command(connection.keys.index('removals'), 'ZREM', collectionName(collection))
  if (await hasPending(connection, collection)) await enterPending(connection, collection)
}

/** Lists the collections in the index that have removals held back: a name may briefly outlive them, or come before them. */
export async function withPendingRemovals(
  connection: RedisConnection,
  { after, limit }: PendingPage,
): Promise<readonly CollectionId[]> {
  const found: CollectionId[] = []
  let min = afterText(after && collectionName(after))
  while (found.length < limit) {
    const range = [min, '+', 'LIMIT', 0, PAGE_SIZE]
    const names = (await connection.command(connection.keys.index('removals'), 'ZRANGEBYLEX', ...range)) as string[]
    const ids = names.map(parseCollectionName)
    const has = await Promise.all(ids.map(id => hasPending(connection, id)))
    found.push(...ids.filter((_, at) => has[at]))
    if (names.length < PAGE_SIZE) break
    min = afterText(names.at(-1))
  }
  return found.slice(0, limit)
}

const hasPending = async (connection: RedisConnection, collection: CollectionId): Promise<boolean> =>
  (await connection.command(connection.keys.of(collection)('head'), 'HEXISTS', 'pendingRemovals')) === 1
