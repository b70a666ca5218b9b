import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { isDue } from './due.js'
import { type QueryRun, runQuery } from './run-query.js'

const running = new WeakMap<Engine, Map<string, Promise<boolean>>>()
const POLL = 50

/** Runs the collection's query if it is due, and waits for it; pulls of one partition share a run, also over processes. With parameters it is due, and nobody shares it. */
export async function queryIfDue(engine: Engine, asked: QueryRun): Promise<void> {
  const { source, collection, parameters } = asked
  const head = await engine.store.collections.open(collection)
  if (!isEmpty(parameters)) return ownRun(engine, asked)
  if (!isDue(source, head, engine.clock())) return
  if (await sharedRun(engine, asked)) return
  await othersRun(engine, collection)
}

const isEmpty = (parameters: object): boolean => Object.keys(parameters).length === 0

/** Waits for whatever runs, then runs with its own parameters. */
async function ownRun(engine: Engine, asked: QueryRun): Promise<void> {
  if (!asked.source.methods.query) return
  while (!engine.stopping.aborted) {
    const present = runsOf(engine).get(keyOf(asked.collection))
    if (present !== undefined) await present
    else if (await sharedRun(engine, asked)) return
    else await othersRun(engine, asked.collection)
  }
}

/** One run per collection in this process; whoever comes meanwhile waits for it. False: another process is at it. */
function sharedRun(engine: Engine, asked: QueryRun): Promise<boolean> {
  const [runs, key] = [runsOf(engine), keyOf(asked.collection)]
  const present = runs.get(key)
  if (present !== undefined) return present
  const run = runQuery(engine, asked).finally(() => runs.delete(key))
  runs.set(key, run)
  return run
}

function runsOf(engine: Engine): Map<string, Promise<boolean>> {
  const runs = running.get(engine) ?? new Map<string, Promise<boolean>>()
  running.set(engine, runs)
  return runs
}

const keyOf = ({ source, partition }: CollectionId): string => JSON.stringify([source, partition])

/** Waits until the run of another process is over, however it ends: its lease is what tells. */
async function othersRun({ store, holder, stopping }: Engine, collection: CollectionId): Promise<void> {
  const name = { kind: 'query', collection } as const
  while (!stopping.aborted) {
    const lease = await store.leases.acquire(name, { holder: `${holder} waits`, milliseconds: 1 })
    if (lease !== undefined) return store.leases.release(lease)
    await new Promise(resolve => setTimeout(resolve, POLL).unref())
  }
}
