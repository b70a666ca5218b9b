import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import type { Source } from '../sources/source.js'
import { isDue } from './due.js'
import { runQuery } from './run-query.js'

const running = new WeakMap<Engine, Map<string, Promise<boolean>>>()
const POLL = 50

/** Runs the collection's query if it is due, and waits for it; pulls of one partition share a run, also over processes. */
export async function queryIfDue(
  engine: Engine,
  source: Source,
  collection: CollectionId,
  user: string,
): Promise<void> {
  const head = await engine.store.collections.open(collection)
  if (!isDue(source, head, engine.clock())) return
  if (await sharedRun(engine, source, collection, user)) return
  await othersRun(engine, collection)
}

/** One run per collection in this process; whoever comes meanwhile waits for it. False: another process is at it. */
function sharedRun(engine: Engine, source: Source, collection: CollectionId, user: string): Promise<boolean> {
  const runs = running.get(engine) ?? new Map<string, Promise<boolean>>()
  running.set(engine, runs)
  const key = JSON.stringify([collection.source, collection.partition])
  const present = runs.get(key)
  if (present !== undefined) return present
  const run = runQuery(engine, source, collection, user).finally(() => runs.delete(key))
  runs.set(key, run)
  return run
}

/** Waits until the run of another process is over, however it ends: its lease is what tells. */
async function othersRun({ store, holder, stopping }: Engine, collection: CollectionId): Promise<void> {
  const name = { kind: 'query', collection } as const
  while (!stopping.aborted) {
    const lease = await store.leases.acquire(name, { holder: `${holder} waits`, milliseconds: 1 })
    if (lease !== undefined) return store.leases.release(lease)
    await new Promise(resolve => setTimeout(resolve, POLL).unref())
  }
}
