import type { CollectionId, Head } from '@godwit/store'
import type { Engine } from '../engine.js'
import { queryQueueOf } from '../sources/queue-of.js'
import { isDue } from './due.js'
import { othersRun, runOrWait } from './others-run.js'
import { queuedQuery } from './queued-query.js'
import { type QueryRun, runQuery } from './run-query.js'

export type { QueryRun }

const running = new WeakMap<Engine, Map<string, Promise<boolean>>>()

/**
 * Runs the collection's query if it is due by this head, and waits for it; pulls of one partition share a run, also over processes. With parameters it is
 * due, and nobody shares it. Where the source has a queue, workers run it, and only a collection that never was queried is waited for.
 * False: none was due, and what was read with the head is as new as can be.
 */
export async function queryIfDue(engine: Engine, asked: QueryRun, head: Head): Promise<boolean> {
  const { source, collection, parameters } = asked
  if (source.methods.query === undefined) return false
  if (isEmpty(parameters) && !isDue(source, head, engine.clock())) return false
  const queue = queryQueueOf(source)
  if (queue !== null) await queued(engine, asked, { queue, head })
  else if (!isEmpty(parameters)) await ownRun(engine, asked)
  else await runOrWait(engine, collection, () => sharedRun(engine, asked))
  return true
}

const isEmpty = (parameters: object): boolean => Object.keys(parameters).length === 0

/** Pulls that wait for the first query share the wait. A collection that was made anew meanwhile has a first query of its own. */
async function queued(
  engine: Engine,
  asked: QueryRun,
  { queue, head }: { readonly queue: string; readonly head: Head },
): Promise<void> {
  if (head.queriedAt !== undefined || !isEmpty(asked.parameters)) return queuedQuery(engine, queue, asked, head)
  await shared(engine, keyOf(asked.collection, head.epoch), async () => {
    await queuedQuery(engine, queue, asked, head)
    return true
  })
  const present = await engine.store.collections.head(asked.collection)
  if (present !== undefined && present.epoch !== head.epoch) await queryIfDue(engine, asked, present)
}

/** Waits for whatever runs, then runs with its own parameters. */
async function ownRun(engine: Engine, asked: QueryRun): Promise<void> {
  while (!engine.stopping.aborted) {
    const present = runsOf(engine).get(keyOf(asked.collection))
    if (present !== undefined) await present
    else if (await sharedRun(engine, asked)) return
    else await othersRun(engine, asked.collection)
  }
}

/** One run per collection in this process; whoever comes meanwhile waits for it. False: another process is at it. */
const sharedRun = (engine: Engine, asked: QueryRun): Promise<boolean> =>
  shared(engine, keyOf(asked.collection), () => runQuery(engine, asked))

function shared(engine: Engine, key: string, begin: () => Promise<boolean>): Promise<boolean> {
  const runs = runsOf(engine)
  const present = runs.get(key)
  if (present !== undefined) return present
  const run = begin().finally(() => runs.delete(key))
  runs.set(key, run)
  return run
}

function runsOf(engine: Engine): Map<string, Promise<boolean>> {
  const runs = running.get(engine) ?? new Map<string, Promise<boolean>>()
  running.set(engine, runs)
  return runs
}

const keyOf = ({ source, partition }: CollectionId, epoch?: string): string =>
  JSON.stringify([source, partition, epoch])
