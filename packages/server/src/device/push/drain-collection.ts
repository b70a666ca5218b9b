import type { CollectionId } from '@godwit/store'
import { enqueueDrain } from '../../backend/jobs/enqueue.js'
import { cudQueueOf } from '../../backend/sources/queue-of.js'
import type { DeviceEngine } from '../device-engine.js'
import { drain, drainFreed } from './drain.js'
import { mayDrain } from './may-drain.js'

const PAGE = 200

/** Runs the queued mutations of a journal in order; if the source has a queue, enqueues a job for its workers instead. */
export async function drainOrEnqueue(engine: DeviceEngine, collection: CollectionId): Promise<void> {
  const source = engine.sources.find(collection.source)
  const queue = source ? cudQueueOf(source) : null
  if (queue !== null) await enqueueDrain(engine, queue, collection)
  else await drainCollection(engine, collection)
}

/** Runs the queued mutations of a journal in order, and starts none after `ending` is aborted. Returns false if there was nothing that may run. */
export async function drainCollection(
  engine: DeviceEngine,
  collection: CollectionId,
  ending?: AbortSignal,
): Promise<boolean> {
  const source = engine.sources.find(collection.source)
  const head = await engine.store.collections.head(collection)
  if (source === undefined || head === undefined || !mayDrain(source, head)) return false
  let after: number | undefined
  do {
    const queued = await engine.store.journal.queued(collection, { after, limit: PAGE })
    if (queued.length === 0) break
    const entries = source.passThrough ? queued.filter(entry => engine.abandonedCalls.has(entry)) : queued
    await drain(engine, source, entries, { ending })
    await drainFreed(engine, source, collection, { drained: entries, ending })
    after = queued.at(-1)?.sequence
  } while (!ending?.aborted && !engine.stopping.aborted)
  return after !== undefined
}
