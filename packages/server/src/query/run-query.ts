import { SyncError } from '@godwit/protocol'
import type { CollectionId, Head, Lease, Replaced, ReplaceOptions } from '@godwit/store'
import type { Engine } from '../engine.js'
import { digested, openDigest } from '../pass-through/digest.js'
import { pause } from '../pause.js'
import { callSource } from '../sources/call-source.js'
import { announceChange, DRAIN_CHANNEL } from '../sources/channels.js'
import { loggedIn } from '../sources/logged-in.js'
import { messageOf } from '../sources/refusal.js'
import { shownError } from '../sources/shown-error.js'
import type { Source } from '../sources/source.js'
import { askAbout } from '../sources/source-descriptions.js'
import { untilAborted } from '../until-aborted.js'
import { nextQueryAt } from './due.js'
import { forgetFirst, pauseOfFirst } from './first-query-pause.js'
import { queryStream } from './query-stream.js'

/** Milliseconds before the first repeat; each further one waits twice as long. */
const BACK_OFF = 250
const LONGEST_BACK_OFF = 10_000

/** Which query runs, on whose behalf. */
export interface QueryRun {
  readonly source: Source
  readonly collection: CollectionId
  readonly user: string
  /** What the app gave to its sync. */
  readonly parameters: { readonly [name: string]: string }
  /** Of the collection when it was asked for; another one's is left alone. Absent: the present one's, which is made if there is none. */
  readonly epoch?: string
  /** Aborts when no caller waits any more: the query is given up, and nothing is noted. Without it the query runs to its end. */
  readonly ended?: AbortSignal
  /** True for a pull that follows a hint: a source with `pollInterval` 0 need not be queried for it. */
  readonly isHinted?: boolean
  /** The client that waits for it, and gets what it brings. */
  readonly by?: string | undefined
}

/** How a run ended. `elsewhere`: another process runs the query. `abandoned`: no caller waited any more; a query that was due still is. */
export type RunEnd = 'ran' | 'elsewhere' | 'abandoned'

interface RunningQuery {
  readonly lease: Lease
  /** By the clock of `performance`. */
  readonly since: number
  /** As the first attempt found it: a time that is set after that is not one which this query serves. */
  begun?: Head
}

/** One query of a collection: what it gives replaces what is there. Failures are noted for the devices, not thrown. */
export async function runQuery(engine: Engine, run: QueryRun): Promise<RunEnd> {
  const { source, collection, ended } = run
  const milliseconds = engine.limits.queryLease * 1000
  const lease = await engine.store.leases.acquire(
    { kind: 'query', collection },
    { holder: engine.holder, milliseconds },
  )
  if (lease === undefined) return 'elsewhere'
  const renewing = keepLease(engine, lease)
  const { queries, failedQueries } = engine.metrics
  const begun = performance.now()
  const running: RunningQuery = { lease, since: begun }
  failedQueries.count({ source: source.name }, 0)
  try {
    // The same at each attempt: what was dropped meanwhile, as with its user, stays dropped.
    const epoch = run.epoch ?? (await engine.store.collections.open(collection)).epoch
    const ending = ended === undefined ? engine : { ...engine, stopping: ended }
    await withRetries(ending, source, () => queryOnce(ending, { ...run, epoch }, running))
  } catch (error) {
    if (ended?.aborted && !engine.stopping.aborted) return 'abandoned'
    failedQueries.count({ source: source.name })
    await noteFailure(engine, run, error, running)
  } finally {
    queries.of(source.name).observe((performance.now() - begun) / 1000)
    clearInterval(renewing)
    await engine.store.leases.release(lease)
  }
  return 'ran'
}

const secondsSince = (time: number): number => (performance.now() - time) / 1000

function keepLease({ store, log, limits }: Engine, lease: Lease): NodeJS.Timeout {
  const milliseconds = limits.queryLease * 1000
  const renew = (): void => {
    store.leases
      .renew(lease, milliseconds)
      .catch(error => log.warn({ error: messageOf(error) }, 'a query lease was not renewed'))
  }
  return setInterval(renew, milliseconds / 3).unref()
}

/** Devices wait for a first query: its pauses together are not longer than one query may take. */
async function withRetries(
  { stopping }: Engine,
  { retryLimit, queryTimeout }: Source,
  run: () => Promise<void>,
): Promise<void> {
  for (let attempt = 0, waited = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const milliseconds = Math.min(BACK_OFF * 2 ** attempt, LONGEST_BACK_OFF)
      waited += milliseconds
      if (attempt >= retryLimit || waited > queryTimeout * 1000) throw error
      await pause(milliseconds, stopping)
      if (stopping.aborted) throw error
    }
  }
}

async function queryOnce(
  engine: Engine,
  { source, collection, user, parameters, epoch, by }: QueryRun,
  running: RunningQuery,
): Promise<void> {
  const { store } = engine
  const head = await store.collections.head(collection)
  if (head === undefined || head.epoch !== epoch) return
  running.begun ??= head
  const options = await replaceOptions(engine, source, collection, head, running)
  const timeout = source.queryTimeout
  const { inTime } = callSource(
    engine,
    { source, user, partition: collection.partition, timeout },
    (context, linger) => {
      const parts = () => untilAborted(queryStream(source, { ...context, parameters }), context.signal, givenUp)
      return loggedIn({ source, context, linger }, async () => {
        const kept = source.passThrough ? digested(parts(), await openDigest(engine)) : parts()
        return store.collections.replace(collection, kept, options)
      })
    },
  )
  const replaced = await inTime
  if ('refused' in replaced) throw await refusedReplace(engine, source, collection, replaced.refused)
  if (head.queriedAt === undefined) forgetFirst(engine, collection, epoch)
  const { changed, removed } = replaced
  engine.reporter.report({ kind: 'query_done', ...collection, changed, removed, seconds: secondsSince(running.since) })
  await announce(engine, collection, head, { ...replaced, by })
  await askAbout(engine, source, collection, user)
}

async function replaceOptions(
  { store, clock }: Engine,
  source: Source,
  collection: CollectionId,
  head: Head,
  { lease: { fence }, begun }: RunningQuery,
): Promise<ReplaceOptions> {
  const { epoch, version } = head
  const now = clock()
  const shown = now - source.settle * 1000
  const since = source.settle > 0 ? await store.collections.versionAt(collection, shown) : version
  // What was done just before somebody asked, a backend that needs its time may not show yet: then the next query is asked for as well.
  const asked = source.settle > 0 && (head.askedAt ?? 0) > shown ? head.served : head.asked
  const times = { nextQuery: nextQueryAt(source, now), nextQueryBefore: begun?.nextQuery }
  const { maxRemovedShare } = source
  return { epoch, fence, since, asked, maxRemovedShare, ...times }
}

const givenUp = (): SyncError =>
  new SyncError('backend_timeout', 'The query was given up: its time was over, or the server stops.')

async function refusedReplace(
  { store }: Engine,
  source: Source,
  collection: CollectionId,
  reason: 'epoch' | 'fence' | 'share' | 'floor',
): Promise<SyncError> {
  if (reason === 'share') {
    const share = Math.round(source.maxRemovedShare * 100)
    return new SyncError(
      'backend_failed',
      `The query of ${source.name} would have removed more than ${share} % of the objects, so nothing was changed. If that is right, raise maxRemovedShare.`,
    )
  }
  await store.collections.ask(collection)
  return new SyncError('backend_failed', `The result of the query came too late (${reason}); it runs again.`)
}

async function announce(
  { store }: Engine,
  collection: CollectionId,
  before: Head,
  { changed, removed, by }: Replaced & Pick<QueryRun, 'by'>,
): Promise<void> {
  if (changed + removed > 0) await announceChange(store, collection, by)
  if (before.queriedAt === undefined) await store.events.publish(DRAIN_CHANNEL, { ...collection })
}

async function noteFailure(
  engine: Engine,
  { source, collection }: QueryRun,
  error: unknown,
  { begun, since }: RunningQuery,
): Promise<void> {
  const failure = shownError(engine, error, { source: source.name, says: 'a query failed' })
  engine.reporter.report({ kind: 'query_failed', ...collection, seconds: secondsSince(since), error: failure })
  const times = { nextQuery: nextAttemptAt(engine, source, collection, begun), nextQueryBefore: begun?.nextQuery }
  await engine.store.collections.noteFailure(collection, { error: failure, ...times })
}

/** Who waits for a first query has nothing yet: it is tried again soon, however long the interval is. */
function nextAttemptAt(
  engine: Engine,
  source: Source,
  collection: CollectionId,
  begun: Head | undefined,
): number | undefined {
  const now = engine.clock()
  const next = nextQueryAt(source, now)
  if (next === undefined || begun === undefined || begun.queriedAt !== undefined) return next
  return Math.min(next, now + pauseOfFirst(engine, collection, begun.epoch))
}
