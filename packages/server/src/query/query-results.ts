import { HALF_PAIR, isWellFormed, MAX_ID_BYTES, type ObjectMap, SyncError } from '@godwit/protocol'
import type { CollectionId, Head, Lease, ReplaceOptions, ReplaceResult } from '@godwit/store'
import type { Engine } from '../engine.js'
import { openDigest, withDigests } from '../pass-through/digest.js'
import { callSource } from '../sources/call-source.js'
import { announceChange, DRAIN_CHANNEL } from '../sources/channels.js'
import { isRecord } from '../sources/is-record.js'
import { notJson } from '../sources/not-json.js'
import type { QueryContext, Source } from '../sources/source.js'
import { refreshDescription } from '../sources/source-descriptions.js'
import { withLogin } from '../sources/with-login.js'
import { untilAborted } from '../until-aborted.js'
import type { QueryRun } from './query-runs.js'
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
  const { beforeTimeout } = callSource(
    engine,
    { source, user, partition: collection.partition, timeout },
    (context, holdSignal) => {
      const parts = () =>
        untilAborted(queryStream(source, { ...context, parameters }), context.signal, queryAbortedError)
      return withLogin({ source, context, holdSignal }, async () => {
        const kept = source.passThrough ? withDigests(parts(), await openDigest(engine)) : parts()
        return store.collections.replace(collection, kept, options)
      })
    },
  )
  const replaced = await beforeTimeout
  if ('refused' in replaced) throw await replaceRefusedError(engine, source, collection, replaced.refused)
  if (head.queriedAt === undefined) engine.queryRuns.firstFailures.forget(collection, epoch)
  const { changed, removed } = replaced
  engine.reporter.report({ kind: 'query_done', ...collection, changed, removed, seconds: secondsSince(running.since) })
  await announce(engine, collection, head, { ...replaced, by })
  await refreshDescription(engine, source, collection, user)
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

const queryAbortedError = (): SyncError =>
  new SyncError('backend_timeout', 'The query was given up: its time was over, or the server stops.')

async function replaceRefusedError(
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
  await store.collections.requestQuery(collection)
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

/** Seconds since a time of `performance.now()`. */
export const secondsSince = (time: number): number => (performance.now() - time) / 1000

/**
 * Everything that a query gives, part by part: what the source stashes while it runs, then what it returns or yields.
 * Ends when the source is done; throws what it throws.
 */
export async function* queryStream(source: Source, context: Omit<QueryContext, 'stash'>): AsyncGenerator<ObjectMap> {
  const stashed: ObjectMap[] = []
  let stash = false
  let wake = (): void => {}
  const answer = Promise.resolve(
    source.methods.query?.({
      ...context,
      stash(objects) {
        stash = true
        stashed.push(checkPart(source.name, objects))
        wake()
      },
    }),
  )
  let done = false
  const end = (): void => {
    done = true
    wake()
  }
  answer.then(end, end)
  for (;;) {
    for (let part = stashed.shift(); part !== undefined; part = stashed.shift()) yield part
    if (done) break
    await new Promise<void>(resolve => {
      wake = resolve
    })
  }
  for await (const part of partsOf(source.name, await answer, stash)) {
    for (let early = stashed.shift(); early !== undefined; early = stashed.shift()) yield early
    yield part
  }
  yield* stashed
}

/** The parts of a query's answer, each checked. Nothing is an answer only where parts were stashed. */
async function* partsOf(source: string, answer: unknown, stashed: boolean): AsyncGenerator<ObjectMap> {
  if (answer === undefined && stashed) return
  if (isStream(answer)) for await (const part of answer) yield checkPart(source, part)
  else yield checkPart(source, answer)
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/** The part, if it is an object map. Throws `backend_failed`, saying what came. */
export function checkPart(source: string, part: unknown, method: 'query' | 'search' = 'query'): ObjectMap {
  const unlike = (got: string): SyncError => notAMap(source, method, got)
  if (!isRecord(part)) throw unlike(kindOf(part))
  for (const id of Object.keys(part)) {
    // Longer in characters is longer in bytes; the others are measured only when they may be too long.
    if (id === '' || (id.length * 3 > MAX_ID_BYTES && Buffer.byteLength(id) > MAX_ID_BYTES)) {
      throw unlike(`an id of ${Buffer.byteLength(id)} bytes`)
    }
    if (!id.isWellFormed()) throw unlike(`${HALF_PAIR} in the id ${JSON.stringify(id)}`)
    const attributes = part[id]
    if (!isRecord(attributes)) throw unlike(`${kindOf(part[id])} under the id ${JSON.stringify(id)}`)
    const flaw = notJson(attributes)
    if (flaw !== undefined) throw unlike(`the object ${JSON.stringify(id)}, of which ${flaw}, which is no JSON`)
    if (!isWellFormed(attributes)) throw unlike(`${HALF_PAIR} under the id ${JSON.stringify(id)}`)
  }
  return part as ObjectMap
}

const A_LIST = 'a list'
const LIST_TODO = ' Return Object.fromEntries(rows.map(({ id, ...row }) => [id, row])).'

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return A_LIST
  return typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value
}

const notAMap = (source: string, method: string, got: string): SyncError =>
  new SyncError(
    'backend_failed',
    `The ${method} of ${source}: expected objects by id, { id: { attribute: value } }, with ids of 1 to ${MAX_ID_BYTES} bytes, got ${got}.${got === A_LIST ? LIST_TODO : ''}`,
  )
