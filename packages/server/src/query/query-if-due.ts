import type { Head, UndecidedCursor } from '@godwit/store'
import type { Engine } from '../engine.js'
import { queryQueueOf } from '../sources/queue-of.js'
import { unlessCallerGone, type WaitingCaller } from './parameter-runs.js'
import type { QueryRequest, QueryRun, RunEnd } from './query-runs.js'
import { enqueueFirstQuery } from './queued-query.js'
import { runOrWait, runQuery, waitForOtherProcess } from './run-query.js'
import { isDue } from './schedule.js'

export type { QueryRun, WaitingCaller }

/**
 * Runs the collection's query if it is due by this head, and waits for it; pulls of one partition share a run, also over processes, but for a query with
 * parameters, which is always due. Where the source has a queue, workers run it, and only a collection's first query is waited for. Returns false when none
 * was due. Rejects when the caller is gone.
 */
export async function queryIfDue(engine: Engine, asked: QueryRequest, head: Head): Promise<boolean> {
  const { source, collection, parameters, caller, isHinted } = asked
  if (source.methods.query === undefined) return false
  if (isEmpty(parameters) && !isDue(source, head, engine.clock(), isHinted)) return false
  const queue = queryQueueOf(source)
  if (queue !== null) await unlessCallerGone(queued(engine, asked, { queue, head }), caller)
  else if (!isEmpty(parameters)) await ownRun(engine, asked)
  else
    await unlessCallerGone(
      runOrWait(engine, collection, () => sharedRun(engine, asked), caller?.signal),
      caller,
    )
  return true
}

const isEmpty = (parameters: object): boolean => Object.keys(parameters).length === 0

/** Pulls that wait for the first query share the wait. A collection that was recreated meanwhile has another first query. */
async function queued(
  engine: Engine,
  asked: QueryRequest,
  { queue, head }: { readonly queue: string; readonly head: Head },
): Promise<void> {
  if (head.queriedAt !== undefined || !isEmpty(asked.parameters)) return enqueueFirstQuery(engine, queue, asked, head)
  await engine.queryRuns.share(asked.collection, head.epoch, async () => {
    await enqueueFirstQuery(engine, queue, asked, head)
    return 'ran'
  })
  const present = await engine.store.collections.head(asked.collection)
  if (present !== undefined && present.epoch !== head.epoch) await queryIfDue(engine, asked, present)
}

/** Waits for whatever runs, then runs with its own parameters; each client has one such run per source. */
function ownRun(engine: Engine, asked: QueryRequest): Promise<void> {
  const { source, collection, client, user, caller } = asked
  const key = JSON.stringify([source.name, client ?? user])
  return engine.queryRuns.parameters.run(
    { key, caller, interval: engine.limits.parameterInterval * 1000 },
    async ended => {
      while (!ended.aborted) {
        const present = engine.queryRuns.present(collection)
        if (present !== undefined) await unlessCallerGone(present, { signal: ended }).catch(() => undefined)
        else if ((await sharedRun(engine, { ...asked, ended })) !== 'elsewhere') return
        else await waitForOtherProcess(engine, collection, ended)
      }
    },
  )
}

/** One run per collection in this process; later callers wait for it. */
const sharedRun = (engine: Engine, asked: QueryRun): Promise<RunEnd> =>
  engine.queryRuns.share(asked.collection, undefined, () => runQuery(engine, asked))

const PAGE = 200

/**
 * Runs the first queries that journals wait for. Nothing is drained before a collection was queried, and the device whose pull would ask may
 * never come back.
 */
export async function runAwaitedQueries(engine: Engine): Promise<void> {
  const { journal } = engine.store
  for (let after: UndecidedCursor | undefined; !engine.stopping.aborted; ) {
    const page = await journal.undecided({ state: 'queued', after, limit: PAGE })
    const awaited = new Map(page.map(entry => [JSON.stringify(Object.values(entry.collection)), entry]))
    for (const { collection, user } of awaited.values()) {
      const source = engine.sources.find(collection.source)
      const head = source && (await engine.store.collections.head(collection))
      const run = { collection, user, parameters: {} }
      if (head && head.queriedAt === undefined) await queryIfDue(engine, { source, ...run }, head)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { collection: last.collection, sequence: last.sequence }
  }
}
