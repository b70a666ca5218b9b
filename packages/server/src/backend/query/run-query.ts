import { messageOf, type Source } from '@godwit/source'
import type { CollectionId, Lease } from '@godwit/store'
import { pause } from '../../base/pause.js'
import type { BackendEngine } from '../backend-engine.js'
import { publicError } from '../sources/public-error.js'
import { attemptQuery, type RunningQuery, secondsSince } from './query-results.js'
import type { QueryRun, RunEnd } from './query-runs.js'
import { isDue, nextAttemptAt } from './schedule.js'

/** Milliseconds before the first retry; each further pause is twice as long. */
const BACK_OFF = 250
const MAX_BACK_OFF_MS = 10_000

/** A way to bring a collection up to date, under the lease of this kind. */
export interface Reading {
  readonly lease: 'query' | 'changes'
  readonly attempt: (engine: BackendEngine, run: QueryRun, running: RunningQuery) => Promise<void>
}

/** Replaces the objects by the result of the source's query. */
export const QUERY: Reading = { lease: 'query', attempt: attemptQuery }

/** Runs one reading of a collection. Failures are recorded for the devices and not thrown. */
export async function runQuery(engine: BackendEngine, run: QueryRun, reading: Reading): Promise<RunEnd> {
  const { source, collection, ended } = run
  const milliseconds = engine.limits.queryLease * 1000
  const lease = await engine.store.leases.acquire(
    { kind: reading.lease, collection },
    { holder: engine.holder, milliseconds },
  )
  if (lease === undefined) return 'elsewhere'
  if (run.isOnlyIfDue && !(await isStillDue(engine, run))) {
    await engine.store.leases.release(lease)
    return 'ran'
  }
  const renewing = keepLease(engine, lease)
  const { queries, failedQueries } = engine.metrics
  const begun = performance.now()
  const running: RunningQuery = { lease, since: begun }
  failedQueries.inc({ source: source.name }, 0)
  try {
    // Fixed for all attempts, so that a collection dropped meanwhile, as with its user, is not recreated.
    const epoch = run.epoch ?? (await engine.store.collections.open(collection)).epoch
    const ending = ended === undefined ? engine : { ...engine, stopping: ended }
    await withRetries(ending, source, () => reading.attempt(ending, { ...run, epoch }, running))
  } catch (error) {
    if (ended?.aborted && !engine.stopping.aborted) return 'abandoned'
    failedQueries.inc({ source: source.name })
    await recordFailure(engine, run, error, running)
  } finally {
    queries.observe({ source: source.name }, (performance.now() - begun) / 1000)
    clearInterval(renewing)
    await engine.store.leases.release(lease)
  }
  return 'ran'
}

async function isStillDue({ store }: BackendEngine, { source, collection }: QueryRun): Promise<boolean> {
  const head = await store.collections.head(collection)
  return head !== undefined && isDue(source, head, true)
}

function keepLease({ store, log, limits }: BackendEngine, lease: Lease): NodeJS.Timeout {
  const milliseconds = limits.queryLease * 1000
  const renew = (): void => {
    store.leases
      .renew(lease, milliseconds)
      .catch(error => log.warn({ error: messageOf(error) }, 'could not renew the lease of a query'))
  }
  return setInterval(renew, milliseconds / 3).unref()
}

/** Devices wait for a first query, so its pauses together last no longer than one query may take. */
async function withRetries(
  { stopping }: BackendEngine,
  { retryLimit, queryTimeout }: Source,
  run: () => Promise<void>,
): Promise<void> {
  for (let attempt = 0, waited = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const milliseconds = Math.min(BACK_OFF * 2 ** attempt, MAX_BACK_OFF_MS)
      waited += milliseconds
      if (attempt >= retryLimit || waited > queryTimeout * 1000) throw error
      await pause(milliseconds, stopping)
      if (stopping.aborted) throw error
    }
  }
}

async function recordFailure(
  engine: BackendEngine,
  { source, collection }: QueryRun,
  error: unknown,
  { begun, since }: RunningQuery,
): Promise<void> {
  const failure = publicError(engine, error, { source: source.name, logMessage: 'a query failed' })
  engine.reporter.report({ kind: 'query_failed', ...collection, seconds: secondsSince(since), error: failure })
  const nextQuery = await nextAttemptAt(engine, source, collection, begun)
  const times = { nextQuery, nextQueryBefore: begun?.nextQuery }
  await engine.store.collections.recordFailure(collection, { error: failure, ...times })
}

/** A collection with the lease under which it is read. */
interface LeasedCollection extends Pick<Reading, 'lease'> {
  readonly collection: CollectionId
}

/** Milliseconds between checks of another process's lease. */
const POLL = 50

/**
 * Runs a query, or waits for the process that runs it; retries if that process dies in a first query or the run is abandoned. `ended` aborts when no
 * caller waits any more.
 */
export async function runOrWait(
  engine: BackendEngine,
  { collection, lease }: LeasedCollection,
  run: () => Promise<RunEnd>,
  ended: AbortSignal = engine.stopping,
): Promise<void> {
  while (!ended.aborted && !engine.stopping.aborted) {
    const end = await run()
    if (end === 'ran') return
    if (end === 'abandoned') continue
    await waitForOtherProcess(engine, { collection, lease }, ended)
    const head = await engine.store.collections.head(collection)
    const isUntouched = head !== undefined && head.queriedAt === undefined && head.sourceError === undefined
    if (!isUntouched) return
  }
}

/** Waits until another process's run has ended, as shown by its lease. */
export async function waitForOtherProcess(
  { store, holder, stopping }: BackendEngine,
  { collection, lease: kind }: LeasedCollection,
  ended: AbortSignal,
): Promise<void> {
  const name = { kind, collection }
  while (!stopping.aborted && !ended.aborted) {
    const lease = await store.leases.acquire(name, { holder: `${holder} waits`, milliseconds: 1 })
    if (lease !== undefined) return store.leases.release(lease)
    await pause(POLL, ended)
  }
}
