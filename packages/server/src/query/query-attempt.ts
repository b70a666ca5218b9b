import { SyncError } from '@godwit/protocol'
import type { CollectionId, Head, Lease, ReplaceOptions, ReplaceResult } from '@godwit/store'
import type { Engine } from '../engine.js'
import { openDigest, withDigests } from '../pass-through/digest.js'
import { callSource } from '../sources/call-source.js'
import { announceChange, DRAIN_CHANNEL } from '../sources/channels.js'
import { loggedIn } from '../sources/logged-in.js'
import type { Source } from '../sources/source.js'
import { askAbout } from '../sources/source-descriptions.js'
import { untilAborted } from '../until-aborted.js'
import type { QueryRun } from './query-runs.js'
import { queryStream } from './query-stream.js'
import { nextQueryAt } from './schedule.js'

/** A query under its lease, over all its attempts. */
export interface RunningQuery {
  readonly lease: Lease
  /** By the clock of `performance`. */
  readonly since: number
  /** As the first attempt found it: a time that is set after that is not one which this query serves. */
  begun?: Head
}

/** One attempt of a query: what it gives replaces the collection. Throws what the source throws, and `backend_failed` where the result is refused. */
export async function attemptQuery(
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
        const kept = source.passThrough ? withDigests(parts(), await openDigest(engine)) : parts()
        return store.collections.replace(collection, kept, options)
      })
    },
  )
  const replaced = await inTime
  if ('refused' in replaced) throw await refusedReplace(engine, source, collection, replaced.refused)
  if (head.queriedAt === undefined) engine.queryRuns.firstFailures.forget(collection, epoch)
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
  { changed, removed, by }: ReplaceResult & Pick<QueryRun, 'by'>,
): Promise<void> {
  const isFirst = before.queriedAt === undefined
  // Devices wait for the end of a first query, though it found nothing.
  if (isFirst || changed + removed > 0) await announceChange(store, collection, by)
  if (isFirst) await store.events.publish(DRAIN_CHANNEL, { ...collection })
}

export const secondsSince = (time: number): number => (performance.now() - time) / 1000
