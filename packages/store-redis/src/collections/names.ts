import type { CollectionId } from '@godwit/store'
import { compareIds } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import { collectionName, pairOf, pairRange, pairText, parseCollectionName, type Range, rangeBounds } from '../names.js'
import { enterIndexScript, leaveIndexScript, listIndexScript, recordIndexedScript } from '../scripts/names.js'

/** How many names one step reads. */
const PAGE_SIZE = 500

export interface CollectionsPage {
  readonly source?: string | undefined
  readonly partition?: string | undefined
  readonly after?: CollectionId | undefined
  readonly limit: number
}

/**
 * Adds a collection to the index after it was created, and records in it that it is indexed. If the collection was dropped meanwhile, the name is
 * removed again.
 */
export async function enterIndex(connection: RedisConnection, collection: CollectionId): Promise<void> {
  await connection.run(enterIndexScript, connection.keys.index, bothNames(collection))
  const recorded = await connection.run(recordIndexedScript, connection.keys.of(collection), ['indexed'])
  if (recorded === 0) await leaveIndex(connection, collection)
}

/**
 * Removes a collection from the index after a drop. If it exists again it is added back, since it may have been added before the name was removed.
 */
export async function leaveIndex(connection: RedisConnection, collection: CollectionId): Promise<void> {
  await connection.run(leaveIndexScript, connection.keys.index, bothNames(collection))
  if (await exists(connection, collection)) await enterIndex(connection, collection)
}

const bothNames = ({ source, partition }: CollectionId) => [pairText(source, partition), pairText(partition, source)]

/** True for a collection that has a head. */
export async function exists(connection: RedisConnection, collection: CollectionId): Promise<boolean> {
  return (await connection.command(connection.keys.of(collection)('head'), 'EXISTS')) === 1
}

/** Lists the collections in the index that exist: a name may briefly outlive its collection. */
export async function collections(
  connection: RedisConnection,
  page: CollectionsPage,
): Promise<readonly CollectionId[]> {
  const found: CollectionId[] = []
  for await (const names of pages(connection, page)) {
    const there = await Promise.all(names.map(name => exists(connection, name)))
    found.push(...names.filter((_, at) => there[at]))
    if (found.length >= page.limit) break
  }
  return found.slice(0, page.limit)
}

/** Yields the collections of the index in order, in pages. */
export async function* pages(
  connection: RedisConnection,
  { source, partition, after, limit }: CollectionsPage,
): AsyncGenerator<readonly CollectionId[]> {
  const isWanted = (id: CollectionId) =>
    (source === undefined || id.source === source.toWellFormed()) && (!after || compareCollections(id, after) > 0)
  const bySource = source !== undefined || partition === undefined
  const kind = bySource ? 's' : 'p'
  let range = bySource ? rangeOfSource(source, after) : pairRange(partition)
  for (;;) {
    const step = Math.min(PAGE_SIZE, limit)
    const given = [...rangeBounds(kind, range), step]
    const names = (await connection.run(listIndexScript, connection.keys.index, given)) as string[]
    const ids = names.map(name => (bySource ? parseCollectionName(name) : partitionNamed(name)))
    yield ids.filter(id => isWanted(id) && (partition === undefined || id.partition === partition.toWellFormed()))
    if (names.length < step) return
    range = { ...range, min: `(${names.at(-1)}` }
  }
}

function rangeOfSource(source: string | undefined, after: CollectionId | undefined): Range {
  const range = pairRange(source)
  if (!after || (source !== undefined && compareIds(after.source, source.toWellFormed()) < 0)) return range
  return { ...range, min: `(${collectionName(after)}` }
}

function partitionNamed(name: string): CollectionId {
  const [partition, source] = pairOf(name)
  return { source, partition }
}

/** Orders collections by source, then by partition. */
export function compareCollections(left: CollectionId, right: CollectionId): number {
  const by = (name: 'source' | 'partition') => compareIds(left[name].toWellFormed(), right[name].toWellFormed())
  return by('source') || by('partition')
}
