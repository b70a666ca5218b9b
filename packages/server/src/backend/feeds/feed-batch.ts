import {
  type Attributes,
  emptyRecord,
  isPartitionParameters,
  type ObjectId,
  type ObjectMap,
  parametersOf,
  SyncError,
} from '@godwit/protocol'
import type { FeedBatch, FeedChange, FeedTarget, Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import type { ReadTarget } from '../changes/get-objects.js'
import { checkCursor, checkId, type Reported } from '../changes/reported.js'
import { checkPart } from '../query/query-results.js'
import { isRecord } from '../sources/is-record.js'
import { partitionOf, byPartition as partitionOfParameters } from '../sources/partition-of.js'

/** A feed with its name in the store and the sources that share it, by name. */
export interface NamedFeed {
  readonly name: string
  readonly sources: ReadonlyMap<string, Source>
}

/** The changes of one partition in a batch. */
export interface PartitionChanges extends ReadTarget, Reported {}

/** What is read again: one partition, or all of a source. */
export interface Rereading {
  readonly source: Source
  readonly collection?: CollectionId
}

/** A batch that was checked whole before any of it is applied. */
export interface CheckedBatch extends Omit<FeedBatch, 'changes' | 'reread'> {
  readonly partitions: readonly PartitionChanges[]
  readonly rereadings: readonly Rereading[]
}

/** Checks a batch and groups it by partition; the last change of an object counts. Throws `backend_failed`, which says what was yielded. */
export function checkBatch(feed: NamedFeed, given: unknown): CheckedBatch {
  if (!isRecord(given)) throw unlike(feed, `expected batches { cursor, changes }, got ${typeof given}`)
  const batch = given as unknown as FeedBatch
  const changes = listOf(feed, 'changes', batch.changes)
  const rereadings = listOf(feed, 'reread', batch.reread).map(target => rereadingOf(feed, target))
  const proofs = listOf(feed, 'proofs', batch.proofs)
  return {
    ...batch,
    cursor: checkCursor(feed.name, batch.cursor),
    proofs,
    rereadings,
    partitions: byPartition(feed, changes),
  }
}

function listOf<Item>(feed: NamedFeed, member: string, list: readonly Item[] | undefined): readonly Item[] {
  if (list === undefined) return []
  if (Array.isArray(list)) return list as readonly Item[]
  throw unlike(feed, `expected ${member} to be a list, got ${typeof list}`)
}

function byPartition(feed: NamedFeed, changes: readonly FeedChange[]): readonly PartitionChanges[] {
  const partitions = new Map<string, { readonly target: ReadTarget; readonly last: Map<ObjectId, Attributes | null> }>()
  for (const change of changes.flatMap(withRemoval)) {
    const source = sourceOf(feed, change)
    const collection = collectionOf(feed, source, change)
    const key = JSON.stringify([collection.source, collection.partition])
    const user = change.user ?? change.partition ?? '*'
    const one = partitions.get(key) ?? { target: { source, collection, user }, last: new Map() }
    partitions.set(key, one)
    const id = checkId(feed.name, change.id)
    // Deleted first, so that the order is that of the last changes.
    one.last.delete(id)
    one.last.set(id, attributesOf(feed, id, change.attributes))
  }
  return [...partitions.values()].map(({ target, last }) => {
    const objects: Record<ObjectId, Attributes> = emptyRecord<Attributes>()
    const removed: ObjectId[] = []
    for (const [id, attributes] of last) {
      if (attributes === null) removed.push(id)
      else objects[id] = attributes
    }
    return { ...target, objects: objects as ObjectMap, removed }
  })
}

function attributesOf(feed: NamedFeed, id: ObjectId, attributes: unknown): Attributes | null {
  if (attributes === null) return null
  return checkPart(feed.name, { [id]: attributes }, 'feed')[id] as Attributes
}

function sourceOf(feed: NamedFeed, { source }: FeedTarget): Source {
  const only = feed.sources.size === 1 ? [...feed.sources.values()][0] : undefined
  const found = source === undefined ? only : feed.sources.get(source)
  if (found !== undefined) return found
  const names = [...feed.sources.keys()].join(', ')
  throw unlike(
    feed,
    `expected source to be one of ${names}, got ${source === undefined ? 'none' : JSON.stringify(source)}`,
  )
}

/** Returns a change of an object that moved with the removal from the partition that it left. */
function withRemoval(change: FeedChange): readonly FeedChange[] {
  const { from, ...rest } = change
  return from === undefined ? [change] : [{ ...rest, parameters: from, attributes: null }, rest]
}

/** Returns the collection of a source with `by` that a change names, by its parameters or the attributes of the object. */
function namedPartition(feed: NamedFeed, { name, by = [] }: Source, change: FeedChange): CollectionId {
  const attributes = isRecord(change.attributes) ? change.attributes : {}
  const parameters = change.parameters ?? parametersOf(by, attributes)
  if (isPartitionParameters(parameters, by)) return { source: name, partition: partitionOfParameters(parameters) }
  throw unlike(
    feed,
    `expected parameters with a value for ${by.join(', ')}, or attributes that have them, for a change of ${name}, got neither`,
  )
}

function collectionOf(feed: NamedFeed, source: Source, change: FeedChange): CollectionId {
  if (source.by !== undefined) return namedPartition(feed, source, change)
  const { user, partition } = change
  const found = partitionIn(source, { user, partition })
  if (found !== undefined) return { source: source.name, partition: found }
  throw unlike(feed, `expected a user or a partition for a change of ${source.name}, got neither`)
}

function partitionIn(
  source: Source,
  { user, partition }: { readonly user: string | undefined; readonly partition: string | undefined },
): string | undefined {
  if (source.partition === 'app') return '*'
  if (user !== undefined) return partitionOf(source, user)
  if (partition === undefined) return undefined
  return source.methods.partitionName === undefined ? `user:${partition}` : `name:${partition}`
}

function rereadingOf(feed: NamedFeed, target: FeedTarget): Rereading {
  const source = sourceOf(feed, target)
  if (source.by !== undefined)
    return isPartitionParameters(target.parameters, source.by)
      ? { source, collection: { source: source.name, partition: partitionOfParameters(target.parameters) } }
      : { source }
  const { user, partition: name } = target
  const partition = partitionIn(source, { user, partition: name })
  return partition === undefined ? { source } : { source, collection: { source: source.name, partition } }
}

const unlike = (feed: NamedFeed, text: string): SyncError =>
  new SyncError('backend_failed', `The feed ${feed.name}: ${text}.`)
