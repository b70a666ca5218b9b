import type { ObjectId, ObjectMap } from '@godwit/protocol'
import {
  type CollectionId,
  MAX_BATCH,
  type PendingRemovals,
  type RefusedWrite,
  type ReplaceOptions,
  type ReplaceResult,
} from '../collections.js'
import {
  attributesText,
  judgeRemovals,
  judgeReplace,
  nextQueryAfter,
  RemovedIds,
  replacement,
  sameText,
  storedId,
} from '../history/index.js'
import type { MemoryCollection } from './memory-collection.js'
import { find, type MemoryState } from './memory-state.js'

interface ReplaceRun {
  readonly collection: CollectionId
  readonly parts: AsyncIterable<ObjectMap>
  readonly options: ReplaceOptions
}

type ReplaceRefusal = RefusedWrite<'epoch' | 'fence' | 'floor'>

/** Stages the result, checks it, writes the changes, removes objects that the query does not have, then records the successful query. */
export async function replace(world: MemoryState, replacing: ReplaceRun): Promise<ReplaceResult | ReplaceRefusal> {
  const { options } = replacing
  const staged = await stage(world, replacing)
  const refused = judge(world, replacing)
  const found = find(world, replacing.collection)
  if (refused || !found) return refused ?? { refused: 'epoch' }
  const pendingRemovals = removalsToConfirm(found, staged, options)
  const writer = new BatchWriter(found, options.since, () => judge(world, replacing))
  const stopped =
    (await writer.write(staged)) ??
    (await writer.write(pendingRemovals ? newerThan(found, staged, options.since) : removalsOf(found, staged))) ??
    judge(world, replacing)
  if (stopped) return stopped
  recordSuccess(found, options, writer.spared, pendingRemovals)
  const { changed, removed, spared } = writer
  const result = { version: found.version, count: found.rows.live, changed, removed, spared }
  return { ...result, ...(pendingRemovals && { pendingRemovals }) }
}

/** How many objects are staged before the event loop continues. */
const BATCH_SIZE = 500

const pause = () => new Promise<void>(resolve => setImmediate(resolve))

/** Stages the result. Unchanged objects share the stored text, so that they take no further memory. */
async function stage(world: MemoryState, { collection, parts }: ReplaceRun): Promise<ReadonlyMap<ObjectId, string>> {
  const staged = new Map<ObjectId, string>()
  let count = 0
  for await (const part of parts) {
    const rows = find(world, collection)?.rows
    for (const [given, attributes] of Object.entries(part)) {
      const id = storedId(given)
      const text = attributesText(attributes)
      const present = rows?.get(id)
      const isSame = typeof present?.text === 'string' && sameText(present.text, text)
      staged.set(present?.id ?? id, isSame ? (present?.text ?? text) : text)
      if (++count % BATCH_SIZE === 0) await pause()
    }
  }
  return staged
}

/** Checks whether the replace may go on. */
function judge(world: MemoryState, { collection, options }: ReplaceRun): ReplaceRefusal | undefined {
  const fenceHolds = world.leases.isLeased({ kind: 'query', collection }, options.fence)
  return judgeReplace(find(world, collection)?.head(), options, { fenceHolds })
}

/** Returns the removals to hold back; those of objects that changed since do not count. */
function removalsToConfirm(
  collection: MemoryCollection,
  staged: ReadonlyMap<ObjectId, string>,
  options: ReplaceOptions,
): PendingRemovals | undefined {
  const ids = new RemovedIds()
  for (const [id] of removalsOf(collection, staged))
    if ((collection.rows.get(id)?.version ?? 0) <= options.since) ids.add(id)
  return judgeRemovals(collection.head(), options, { ids, leavesNothing: staged.size === 0 })
}

function removalsOf(collection: MemoryCollection, staged: ReadonlyMap<ObjectId, string>): [ObjectId, null][] {
  const ids: [ObjectId, null][] = []
  for (const row of collection.rows.all()) if (row.text !== null && !staged.has(row.id)) ids.push([row.id, null])
  return ids
}

/** The removals of objects that changed since: they are spared, and make another query due. */
const newerThan = (collection: MemoryCollection, staged: ReadonlyMap<ObjectId, string>, since: number) =>
  removalsOf(collection, staged).filter(([id]) => (collection.rows.get(id)?.version ?? 0) > since)

/** Writes in batches, with pauses for other writers in between. Each object is compared and written without a pause. */
class BatchWriter {
  changed = 0
  removed = 0
  spared = 0
  readonly #collection: MemoryCollection
  readonly #since: number
  readonly #judge: () => ReplaceRefusal | undefined

  constructor(collection: MemoryCollection, since: number, judge: () => ReplaceRefusal | undefined) {
    this.#collection = collection
    this.#since = since
    this.#judge = judge
  }

  /** Writes objects. Returns the refusal if it had to stop. */
  async write(objects: Iterable<readonly [ObjectId, string | null]>): Promise<ReplaceRefusal | undefined> {
    let batch = new Map<ObjectId, string | null>()
    for (const [id, text] of objects) {
      const verdict = replacement(this.#collection.rows.get(id), text, this.#since)
      if (verdict === 'spare') this.spared++
      if (verdict === 'write') batch.set(id, text)
      if (batch.size < MAX_BATCH) continue
      const refused = this.#flush(batch)
      if (refused) return refused
      batch = new Map()
      await pause()
    }
    return this.#flush(batch)
  }

  #flush(batch: ReadonlyMap<ObjectId, string | null>): ReplaceRefusal | undefined {
    if (batch.size === 0) return undefined
    const refused = this.#judge()
    if (refused) return refused
    for (const text of batch.values()) text === null ? this.removed++ : this.changed++
    this.#collection.write(batch, { kind: 'query' })
    return undefined
  }
}

function recordSuccess(
  collection: MemoryCollection,
  options: ReplaceOptions,
  spared: number,
  pendingRemovals: PendingRemovals | undefined,
): void {
  collection.queriesServed = Math.max(collection.queriesServed, options.queriesRequested)
  const now = collection.head().readAt
  collection.queriedAt = now
  collection.queryAgainAt(nextQueryAfter(options, pendingRemovals, now))
  collection.sourceError = undefined
  collection.pendingRemovals = pendingRemovals
  if (pendingRemovals === undefined) collection.acceptedRemovals = undefined
  if (spared > 0) collection.queriesRequested++
}
