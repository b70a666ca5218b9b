import { type PartitionState, SyncError } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import { readAppServer } from '../sources/app-server.js'
import { partitionState } from '../sources/partition-state.js'
import { type CollectionPath, resolveCollection } from '../sources/resolve-collection.js'
import type { Source } from '../sources/source.js'
import { queryIfDue } from './query-if-due.js'

/** A query that ran already when it was asked for may have read before: one more follows. */
const MAX_RUNS = 2

/**
 * Queries the source for a partition now, and returns how the copy stands then. A caller who is gone stops nothing: what was asked for is done by the next
 * pull at the latest. Throws `value_not_allowed` where there is no query.
 */
export async function refresh(
  engine: ServerEngine,
  path: CollectionPath,
  signal: AbortSignal,
): Promise<PartitionState> {
  const { source, user, collection } = await resolveCollection(engine, path)
  await assertQueried(engine, source)
  const { collections } = engine.store
  await collections.open(collection)
  await collections.ask(collection, undefined)
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const wasRunning = engine.queryRuns.present(collection) !== undefined
    const head = await collections.open(collection)
    await queryIfDue(engine, { source, collection, user, parameters: {}, caller: { signal } }, head)
    if (!wasRunning) break
  }
  return partitionState(engine, path)
}

async function assertQueried(engine: ServerEngine, { name, methods, isRemote }: Source): Promise<void> {
  const isAnswered = methods.query !== undefined && !(isRemote && (await readAppServer(engine)).adapter_url === null)
  if (isAnswered) return
  throw new SyncError('value_not_allowed', `The source ${name} has no query: pushes alone fill it. Push its objects.`)
}
