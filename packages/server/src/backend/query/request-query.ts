import type { CollectionId, Head } from '@godwit/store'
import { pause } from '../../base/pause.js'
import { QueuedWork } from '../../base/queued-work.js'
import type { BackendEngine } from '../backend-engine.js'
import { readingOf, runSource } from '../changes/run-source.js'
import { enqueueQuery, type QueryData } from '../jobs/enqueue.js'
import { QUERIED_CHANNEL } from '../sources/channels.js'
import { queryQueueOf } from '../sources/queue-of.js'
import { isReadable } from '../sources/reads.js'
import { type QueryRequest, type QueryRun, type RunEnd, unlessCallerGone, type WaitingCaller } from './query-runs.js'
import { runOrWait, waitForOtherProcess } from './run-query.js'
import { isDue } from './schedule.js'

export { isDue, type QueryRun, type WaitingCaller }

/**
 * Runs the collection's query if it is due by this head, and waits for it; pulls of a partition share a run, also between processes, except for
 * queries with parameters, which are always due. If the source has a queue, workers run it and only a first query is waited for. Returns false if
 * none was due. Rejects when the caller disconnects.
 */
export async function queryIfDue(engine: BackendEngine, request: QueryRequest, head: Head): Promise<boolean> {
  // A collection that another process drops before the run, as with its user, is not recreated.
  const requested = { ...request, epoch: head.epoch }
  const { source, collection, parameters, caller, isHinted } = requested
  if (!isReadable(source)) return false
  const isPlain = isEmpty(parameters) || source.methods.query === undefined
  if (isPlain && !isDue(source, head, isHinted)) return false
  const reading = isPlain ? engine.objectReadings.running(collection) : undefined
  if (reading !== undefined) {
    await unlessCallerGone(reading, caller)
    const present = await engine.store.collections.head(collection)
    if (present === undefined || present.epoch !== head.epoch) return false
    // Objects that were read again meanwhile may have been all that was requested.
    if (!isDue(source, present, isHinted)) return true
  }
  const queue = queryQueueOf(source)
  if (queue !== null) await unlessCallerGone(awaitQueuedQuery(engine, requested, { queue, head }), caller)
  else if (!isPlain) await runWithParameters(engine, requested)
  else
    await unlessCallerGone(
      runOrWait(engine, { collection, ...readingOf(requested) }, () => runShared(engine, requested), caller?.signal),
      caller,
    )
  return true
}

const isEmpty = (parameters: object): boolean => Object.keys(parameters).length === 0

/** Pulls that wait for the first query share the wait. A collection recreated meanwhile has a new first query. */
async function awaitQueuedQuery(
  engine: BackendEngine,
  requested: QueryRequest,
  { queue, head }: { readonly queue: string; readonly head: Head },
): Promise<void> {
  if (head.queriedAt !== undefined || !isEmpty(requested.parameters))
    return enqueueFirstQuery(engine, queue, requested, head)
  await engine.queryRuns.share(requested.collection, head.epoch, async () => {
    await enqueueFirstQuery(engine, queue, requested, head)
    return 'ran'
  })
  const present = await engine.store.collections.head(requested.collection)
  if (present !== undefined && present.epoch !== head.epoch) await queryIfDue(engine, requested, present)
}

/** Waits for the run in progress, then runs with the given parameters; each client has one such run per source. */
function runWithParameters(engine: BackendEngine, requested: QueryRequest): Promise<void> {
  const { source, collection, client, user, caller } = requested
  const key = JSON.stringify([source.name, client ?? user])
  return engine.queryRuns.parameters.run(
    { key, caller, interval: engine.limits.parameterInterval * 1000 },
    async ended => {
      while (!ended.aborted) {
        const present = engine.queryRuns.present(collection)
        if (present !== undefined) await unlessCallerGone(present, { signal: ended }).catch(() => undefined)
        else if ((await runShared(engine, { ...requested, ended })) !== 'elsewhere') return
        else await waitForOtherProcess(engine, { collection, ...readingOf(requested) }, ended)
      }
    },
  )
}

/** Runs the query once per collection in this process; later callers wait for it. */
const runShared = (engine: BackendEngine, requested: QueryRun): Promise<RunEnd> =>
  engine.queryRuns.share(requested.collection, undefined, () => runSource(engine, requested))

/** Runs a due query without waiting for another process that runs it. A queue gets it as a job. */
export async function runDueQuery(engine: BackendEngine, run: QueryRun & { readonly epoch: string }): Promise<void> {
  const { source, collection, user, parameters, epoch } = run
  const reading = engine.objectReadings.running(collection)
  if (reading !== undefined) await reading
  const queue = queryQueueOf(source)
  if (queue !== null) await enqueueQuery(engine, queue, { ...collection, user, parameters, epoch })
  else await runShared(engine, { ...run, isOnlyIfDue: true })
}

/** Milliseconds between checks for a missed event while waiting. */
const POLL_INTERVAL = 1000

/** Enqueues a query, and waits for it if the collection was never queried. */
async function enqueueFirstQuery(engine: BackendEngine, queue: string, run: QueryRequest, head: Head): Promise<void> {
  const { source, collection, user, parameters, client } = run
  const ask = () => enqueueQuery(engine, queue, { ...collection, user, parameters, epoch: head.epoch }, client)
  if (head.queriedAt !== undefined) {
    await ask()
    return
  }
  const queried = await subscribeToEnd(engine, collection, head.epoch)
  try {
    const id = await ask()
    const seconds = source.queryTimeout * (source.retryLimit + 1)
    await Promise.race([queried.queryEnded, jobOver(engine, queue, { id, seconds, queryEnded: queried.queryEnded })])
  } finally {
    await queried.end()
  }
}

/**
 * Subscribes to the end of a query of the collection. The epoch excludes a query of a dropped collection with the same name, which brought nothing
 * here.
 */
async function subscribeToEnd({ store }: BackendEngine, { source, partition }: CollectionId, epoch: string) {
  const { promise: queryEnded, resolve } = Promise.withResolvers<void>()
  const end = await store.events.subscribe(QUERIED_CHANNEL, event => {
    const queried = event as { readonly source?: unknown; readonly partition?: unknown; readonly epoch?: unknown }
    if (queried.source === source && queried.partition === partition && queried.epoch === epoch) resolve()
  })
  return { queryEnded: queryEnded, end }
}

interface QueuedQueryWait {
  readonly id: string
  /** The longest wait. */
  readonly seconds: number
  readonly queryEnded: Promise<void>
}

/** Also polls the job, since the event may be lost and the queue may have no workers. */
async function jobOver(
  { jobs, stopping }: BackendEngine,
  queue: string,
  { id, seconds, queryEnded }: QueuedQueryWait,
): Promise<void> {
  let hasEnded = false
  void queryEnded.then(() => {
    hasEnded = true
  })
  for (let left = seconds * 1000; left > 0 && !hasEnded && !stopping.aborted; left -= POLL_INTERVAL) {
    await pause(POLL_INTERVAL, stopping)
    const job = await jobs.get(queue, id)
    if (job === undefined || job.state === 'dead') return
  }
}

/** Runs a query from a queue. Does nothing if it is no longer due or its collection was dropped meanwhile. */
export async function runQueuedQuery(
  engine: BackendEngine,
  { parameters, user, epoch, ...collection }: QueryData,
): Promise<void> {
  const source = engine.sources.find(collection.source)
  const head = await engine.store.collections.head(collection)
  const isSearch = Object.keys(parameters).length > 0
  if (source && isReadable(source) && head?.epoch === epoch && (isSearch || isDue(source, head))) {
    const run = { source, collection, user, parameters, epoch }
    await runOrWait(engine, { collection, ...readingOf(run) }, () => runSource(engine, run))
  }
  await engine.store.events.publish(QUERIED_CHANNEL, { ...collection, epoch })
}

/**
 * Returns the work that runs the first queries that journals wait for: nothing is drained before them, and the device whose pull would request one
 * may never return.
 */
export const awaitedQueries = (engine: BackendEngine): QueuedWork =>
  new QueuedWork(engine, async ({ collection, user }) => {
    const source = engine.sources.find(collection.source)
    const head = source && (await engine.store.collections.head(collection))
    const run = { collection, user, parameters: {} }
    if (head && head.queriedAt === undefined) await queryIfDue(engine, { source, ...run }, head)
  })
