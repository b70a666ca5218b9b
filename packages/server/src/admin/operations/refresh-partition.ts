import { type PartitionState, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import { queryIfDue } from '../../backend/query/request-query.js'
import { isReadable } from '../../backend/sources/reads.js'
import type { AdminEngine } from '../admin-engine.js'
import { type CollectionPath, type ResolvedCollection, resolveCollection } from '../documents/resolve-collection.js'
import { partitionState } from './partition-state.js'

/** A query in progress when it was requested may have read older data, so one more follows. */
const MAX_RUNS = 2

/**
 * Queries the source for a partition now, and returns the state of the copy. A caller that disconnects stops nothing: the next pull completes the
 * request at the latest. Throws `value_not_allowed` if the source has no query.
 */
export async function refresh(engine: AdminEngine, path: CollectionPath, signal: AbortSignal): Promise<PartitionState> {
  const place = await resolveCollection(engine, path)
  await assertQueried(engine, place.source)
  const { collections } = engine.store
  await collections.open(place.collection)
  await collections.requestQuery(place.collection, undefined)
  await runRequested(engine, place, signal)
  return partitionState(engine, path)
}

/**
 * Accepts the removals of a partition that were held back, and queries the source now: they are applied if the query would still remove nearly the
 * same objects. Changes nothing if none are held back.
 */
export async function acceptRemovals(
  engine: AdminEngine,
  path: CollectionPath,
  signal: AbortSignal,
): Promise<PartitionState> {
  const place = await resolveCollection(engine, path)
  const accepted = await engine.store.collections.acceptRemovals(place.collection)
  // A shared partition's query may depend on the user that it ran for.
  const user = accepted?.user ?? place.user
  if (accepted !== undefined) await runRequested(engine, { ...place, user }, signal)
  return partitionState(engine, path)
}

async function runRequested(
  engine: AdminEngine,
  { source, user, collection }: ResolvedCollection,
  signal: AbortSignal,
): Promise<void> {
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const wasRunning = engine.queryRuns.present(collection) !== undefined
    const head = await engine.store.collections.open(collection)
    await queryIfDue(engine, { source, collection, user, parameters: {}, caller: { signal } }, head)
    if (!wasRunning) break
  }
}

async function assertQueried(engine: AdminEngine, source: Source): Promise<void> {
  const { name, isRemote } = source
  const isAnswered = isReadable(source) && !(isRemote && (await engine.backend.address()) === undefined)
  if (isAnswered) return
  throw new SyncError(
    'value_not_allowed',
    `The source ${name} has no query: it is filled only by pushes. Push its objects.`,
  )
}
