import type { CollectionId, Head } from '@godwit/store'
import type { Engine } from '../engine.js'
import { queryQueueOf } from '../sources/queue-of.js'
import type { AskedQuery } from './asked-query.js'
import { untilGone, type WaitingCaller } from './caller.js'
import { isDue } from './due.js'
import { othersRun, runOrWait } from './others-run.js'
import { ParameterRuns } from './parameter-runs.js'
import { queuedQuery } from './queued-query.js'
import { type QueryRun, type RunEnd, runQuery } from './run-query.js'

export type { QueryRun, WaitingCaller }

const parameterRuns = new WeakMap<Engine, ParameterRuns>()

const running = new WeakMap<Engine, Map<string, Promise<RunEnd>>>()

/**
 * Runs the collection's query if it is due by this head, and waits for it; pulls of one partition share a run, also over processes. A query with
 * parameters is always due, is not shared, and ends with its caller. Where the source has a queue, workers run it, and only the first query
 * of a collection is waited for. Returns false when none was due, so that what was read with the head is current. Rejects when the caller is gone.
 */
export async function queryIfDue(engine: Engine, asked: AskedQuery, head: Head): Promise<boolean> {
  const { source, collection, parameters, caller, isHinted } = asked
  if (source.methods.query === undefined) return false
  if (isEmpty(parameters) && !isDue(source, head, engine.clock(), isHinted)) return false
  const queue = queryQueueOf(source)
  if (queue !== null) await untilGone(queued(engine, asked, { queue, head }), caller)
  else if (!isEmpty(parameters)) await ownRun(engine, asked)
  else
    await untilGone(
      runOrWait(engine, collection, () => sharedRun(engine, asked), caller?.signal),
      caller,
    )
  return true
}

const isEmpty = (parameters: object): boolean => Object.keys(parameters).length === 0

/** Pulls that wait for the first query share the wait. A collection that was recreated meanwhile has another first query. */
async function queued(
  engine: Engine,
  asked: AskedQuery,
  { queue, head }: { readonly queue: string; readonly head: Head },
): Promise<void> {
  if (head.queriedAt !== undefined || !isEmpty(asked.parameters)) return queuedQuery(engine, queue, asked, head)
  await shared(engine, keyOf(asked.collection, head.epoch), async () => {
    await queuedQuery(engine, queue, asked, head)
    return 'ran'
  })
  const present = await engine.store.collections.head(asked.collection)
  if (present !== undefined && present.epoch !== head.epoch) await queryIfDue(engine, asked, present)
}

/** Waits for whatever runs, then runs with its own parameters; each client has one such run per source. */
function ownRun(engine: Engine, asked: AskedQuery): Promise<void> {
  const { source, collection, client, user, caller } = asked
  const key = JSON.stringify([source.name, client ?? user])
  return parameterRunsOf(engine).run({ key, caller, interval: engine.limits.parameterInterval * 1000 }, async ended => {
    while (!ended.aborted) {
      const present = runsOf(engine).get(keyOf(collection))
      if (present !== undefined) await untilGone(present, { signal: ended }).catch(() => undefined)
      else if ((await sharedRun(engine, { ...asked, ended })) !== 'elsewhere') return
      else await othersRun(engine, collection, ended)
    }
  })
}

/** One run per collection in this process; later callers wait for it. */
const sharedRun = (engine: Engine, asked: QueryRun): Promise<RunEnd> =>
  shared(engine, keyOf(asked.collection), () => runQuery(engine, asked))

function shared(engine: Engine, key: string, begin: () => Promise<RunEnd>): Promise<RunEnd> {
  const runs = runsOf(engine)
  const present = runs.get(key)
  if (present !== undefined) return present
  const run = begin().finally(() => runs.delete(key))
  runs.set(key, run)
  return run
}

function parameterRunsOf(engine: Engine): ParameterRuns {
  const runs = parameterRuns.get(engine) ?? new ParameterRuns(engine.stopping)
  parameterRuns.set(engine, runs)
  return runs
}

function runsOf(engine: Engine): Map<string, Promise<RunEnd>> {
  const runs = running.get(engine) ?? new Map<string, Promise<RunEnd>>()
  running.set(engine, runs)
  return runs
}

const keyOf = ({ source, partition }: CollectionId, epoch?: string): string =>
  JSON.stringify([source, partition, epoch])
