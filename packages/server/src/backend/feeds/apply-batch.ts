import type { CollectionId } from '@godwit/store'
import { ConcurrencyLimiter } from '../../base/concurrency-limiter.js'
import type { BackendEngine } from '../backend-engine.js'
import { applyReported } from '../changes/apply-reported.js'
import { announceChange } from '../sources/channels.js'
import { collectionsOf } from '../sources/collections-of.js'
import type { CheckedBatch, PartitionChanges, Rereading } from './feed-batch.js'

/** Who applies a batch, and the store's time when its rows began to be read. */
export interface BatchReader {
  readonly feed: string
  readonly fence: number
  /** Milliseconds since 1970, by the store's clock. */
  readonly readAt: number
  /**
   * The versions that the batch before this one wrote, by partition, all before `readAt`: times have milliseconds, in which a row may change twice.
   */
  readonly written: WrittenVersions
}

/** Versions by the partition's key. */
export type WrittenVersions = ReadonlyMap<string, number>

const keyOf = ({ source, partition }: CollectionId): string => JSON.stringify([source, partition])

/** The number of partitions that are written at once. */
const AT_ONCE = 8

/**
 * Applies a batch to the partitions that exist now, after its rows were read, and makes partitions due whose changes are unknown. Returns the versions
 * that it wrote; undefined if another process took over. Applied twice, it changes nothing the second time.
 */
export async function applyBatch(
  engine: BackendEngine,
  reader: BatchReader,
  { partitions, rereadings }: Pick<CheckedBatch, 'partitions' | 'rereadings'>,
): Promise<WrittenVersions | undefined> {
  const written = new Map<string, number>()
  const limiter = new ConcurrencyLimiter(AT_ONCE)
  const applied = await Promise.all(
    partitions.map(one => limiter.run(() => applyToPartition(engine, { ...reader, into: written }, one))),
  )
  if (applied.includes(false)) return undefined
  for (const rereading of rereadings) await makeDue(engine, rereading)
  return written
}

async function applyToPartition(
  engine: BackendEngine,
  { feed, fence, readAt, written, into }: BatchReader & { readonly into: Map<string, number> },
  changes: PartitionChanges,
): Promise<boolean> {
  const { source, collection, user } = changes
  const { collections } = engine.store
  const head = await collections.head(collection)
  if (head === undefined) return true
  const before = await collections.versionAt(collection, readAt - source.settle * 1000)
  const since = Math.max(before, source.settle > 0 ? 0 : (written.get(keyOf(collection)) ?? 0))
  const target = { source, collection, user, epoch: head.epoch, reader: `feed:${feed}`, fence, since }
  // What a source cannot return now is read again with the whole partition.
  const applied = await applyReported(engine, target, changes).catch(async error => {
    if (source.methods.get === undefined) throw error
    await requestReading(engine, collection)
    return undefined
  })
  if (applied === undefined) return true
  if ('refused' in applied) {
    if (applied.refused === 'fence') return false
    if (applied.refused !== 'epoch') await requestReading(engine, collection)
    return true
  }
  into.set(keyOf(collection), applied.version)
  if (applied.spared.length > 0) await requestReading(engine, collection)
  else if (applied.changed > 0) await announceChange(engine.store, collection)
  return true
}

/** Makes the partitions due, so that only readings that begin later count. */
export async function makeDue(engine: Pick<BackendEngine, 'store'>, { source, collection }: Rereading): Promise<void> {
  if (collection !== undefined) return requestReading(engine, collection)
  for await (const one of collectionsOf(engine.store, source.name)) await requestReading(engine, one)
}

async function requestReading({ store }: Pick<BackendEngine, 'store'>, collection: CollectionId): Promise<void> {
  await store.collections.requestQuery(collection)
  // Listening devices pull, which runs the reading.
  await announceChange(store, collection)
}
