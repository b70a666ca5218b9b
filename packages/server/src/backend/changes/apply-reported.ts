import type { ObjectId } from '@godwit/protocol'
import { type AdvanceOptions, MAX_BATCH, type RefusedWrite } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'
import { chunksByWeight, pick } from '../batches/chunks.js'
import { ownObjects } from '../partitions/own-objects.js'
import { getObjects, type ReadTarget } from './get-objects.js'
import type { Reported } from './reported.js'

/** The partition that was read, and the conditions of the writes. */
export interface ReportedTarget
  extends ReadTarget,
    Pick<AdvanceOptions, 'epoch' | 'reader' | 'fence' | 'since' | 'cursor'> {}

/** What was applied. */
export interface AppliedChanges {
  /** The number of rows written. */
  readonly changed: number
  /** The head's version after the last step. */
  readonly version: number
  /** Objects that were written by others meanwhile and could not be read again: the cursor was not moved. */
  readonly spared: readonly ObjectId[]
}

type Refusal = RefusedWrite<'epoch' | 'fence' | 'floor' | 'cursor'>

/** How often objects that devices keep writing are read again. */
const MAX_READS = 3

/**
 * Applies reported changes in batches; the last one moves the cursor in the same step. Objects that others wrote after the changes were requested are
 * read again by `get`, and the cursor moves with what it returns; without `get`, or if they keep changing, it stays.
 */
export async function applyReported(
  engine: BackendEngine,
  target: ReportedTarget,
  reported: Reported,
): Promise<AppliedChanges | Refusal> {
  const first = await advanceAll(engine, target, reported)
  if ('refused' in first) return first
  let { changed, version, spared } = first
  for (let reads = 0; spared.length > 0 && reads < MAX_READS; reads++) {
    const since = (await engine.store.collections.head(target.collection))?.version ?? 0
    const found = await getObjects(engine, target, spared)
    if (found === undefined) break
    const next = await advanceAll(engine, { ...target, since: await sinceSettled(engine, target, since) }, found)
    if ('refused' in next) return next
    changed += next.changed
    version = next.version
    spared = next.spared
  }
  return { changed, version, spared }
}

/** Returns the version after which writes may be missing in what the source returns now: the given one, or with `settle` an earlier one. */
export async function sinceSettled(
  { store }: Pick<BackendEngine, 'store'>,
  { source: { settle }, collection }: Pick<ReadTarget, 'source' | 'collection'>,
  version: number,
): Promise<number> {
  if (settle === 0) return version
  return store.collections.versionAt(collection, (await store.now()) - settle * 1000)
}

async function advanceAll(
  { store, log }: Pick<BackendEngine, 'store' | 'log'>,
  { source, collection, epoch, reader, fence, since, cursor }: ReportedTarget,
  reported: Reported,
): Promise<AppliedChanges | Refusal> {
  const ids = [...Object.keys(reported.objects), ...reported.removed]
  const objects = ownObjects({ log }, { source, collection }, reported.objects)
  const spared: ObjectId[] = []
  let [changed, version] = [0, since]
  const batches = [...chunksByWeight(objects, ids, MAX_BATCH)]
  for (const [index, batch] of (batches.length > 0 ? batches : [[]]).entries()) {
    const isLast = index >= batches.length - 1
    const gone = batch.filter(id => !Object.hasOwn(objects, id))
    const change = { replace: pick(objects, batch), remove: gone }
    const moves = isLast && spared.length === 0 && cursor !== undefined
    const advanced = await store.collections.advance(collection, change, {
      ...{ epoch, reader, fence, since },
      ...(moves && { cursor }),
    })
    if ('refused' in advanced) return advanced
    changed += advanced.changed
    version = advanced.version
    spared.push(...advanced.spared)
  }
  return { changed, version, spared }
}
