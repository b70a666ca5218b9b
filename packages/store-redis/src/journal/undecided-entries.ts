import { type CollectionId, type JournalEntry, READ_BYTES, type UndecidedCursor } from '@godwit/store'
import { compareCollections } from '../collections/names.js'
import type { RedisConnection } from '../connection.js'
import { collectionName, parseCollectionName } from '../names.js'
import type { RedisReply } from '../redis-handle.js'
import { undecidedScript, unlistScript } from '../scripts/list-entries.js'
import { recordIndexedScript } from '../scripts/names.js'
import { type EntryWithFence, entryWithFence } from './entry.js'

/** How many collections one page has. */
const BATCH_SIZE = 32

export type UndecidedState = 'queued' | 'started' | 'in_doubt'

interface UndecidedQuery {
  readonly state: UndecidedState
  readonly due?: boolean | undefined
  readonly client?: string | undefined
  readonly after: number
  readonly limit: number
}

/** Undecided mutations of one collection. */
interface UndecidedOf {
  readonly found: readonly EntryWithFence[]
  /** The bytes of those found. */
  readonly bytes: number
  /** True if the collection has none in any state. */
  readonly isIdle: boolean
}

/** Lists undecided mutations of one collection, up to a number and up to `READ_BYTES`, but at least one. */
export async function undecidedOf(
  connection: RedisConnection,
  collection: CollectionId,
  { state, due, client, after, limit }: UndecidedQuery,
): Promise<UndecidedOf> {
  const found: EntryWithFence[] = []
  let bytes = 0
  for (let from: number | null = after; ; ) {
    const facts = [state, due, client !== undefined, client?.toWellFormed(), from, limit - found.length]
    const answer = await connection.run(undecidedScript, connection.keys.of(collection), facts)
    const [reached, count, entries, size] = answer as readonly [number | null, number, readonly RedisReply[], number]
    found.push(...entries.map(entry => entryWithFence(entry, collection)))
    bytes += size
    if (reached === null || found.length >= limit || bytes >= READ_BYTES) return { found, bytes, isIdle: count === 0 }
    from = reached
  }
}

/** Lists undecided mutations of all collections in the index, bounded as those of one, and removes collections without any from it. */
export async function listUndecided(
  connection: RedisConnection,
  {
    state,
    after,
    limit,
  }: { readonly state: UndecidedState; readonly after?: UndecidedCursor | undefined; readonly limit: number },
): Promise<readonly (JournalEntry & { readonly fence: number })[]> {
  const found: EntryWithFence[] = []
  let bytes = 0
  for await (const collections of collectionPages(connection, after?.collection)) {
    const answers = await Promise.all(
      collections.map(async collection => {
        const isSame = after !== undefined && compareCollections(collection, after.collection) === 0
        const wanted = { state, after: isSame ? after.sequence : 0, limit }
        const listed = await undecidedOf(connection, collection, wanted)
        if (listed.isIdle) await leaveUndecided(connection, collection)
        return listed
      }),
    )
    for (const listed of answers) {
      // Those of a collection that did not fit must come before those of the next one.
      if (found.length >= limit || bytes >= READ_BYTES) break
      found.push(...listed.found)
      bytes += listed.bytes
    }
    if (found.length >= limit || bytes >= READ_BYTES) break
  }
  return found.slice(0, limit).map(({ entry, fence }) => ({ ...entry, fence }))
}

/** Yields the collections with undecided mutations in pages, starting with `from`. */
export async function* collectionPages(
  connection: RedisConnection,
  from?: CollectionId,
): AsyncGenerator<readonly CollectionId[]> {
  const index = connection.keys.index('undecided')
  let min = from ? `[${collectionName(from)}` : '-'
  for (;;) {
    const names = (await connection.command(index, 'ZRANGEBYLEX', min, '+', 'LIMIT', 0, BATCH_SIZE)) as string[]
    yield names.map(parseCollectionName)
    if (names.length < BATCH_SIZE) return
    min = `(${names.at(-1)}`
  }
}

/**
 * Adds a collection to the index after its mutations were accepted. After a crash between the two, the device gets no answer and repeats the push.
 */
export async function enterUndecided(connection: RedisConnection, collection: CollectionId): Promise<void> {
  await connection.command(connection.keys.index('undecided'), 'ZADD', 0, collectionName(collection))
  await connection.run(recordIndexedScript, connection.keys.of(collection), ['listed'])
}

/**
 * Removes a collection without undecided mutations from the index. If it has any again it is added back, since they may have been added before the
 * name was removed.
 */
async function leaveUndecided(connection: RedisConnection, collection: CollectionId): Promise<void> {
  const { keys } = connection
  if ((await connection.run(unlistScript, keys.of(collection))) === 0) return
  await connection.command(keys.index('undecided'), 'ZREM', collectionName(collection))
  const count = await connection.command(keys.of(collection)('undecided'), 'ZCARD')
  if (count !== 0) await enterUndecided(connection, collection)
}
