import { HALF_PAIR, isWellFormed, MAX_ID_BYTES, type ObjectMap, SyncError } from '@godwit/protocol'
import type { QueryContext, Source, SourceContext } from '@godwit/source'
import type { CollectionId, Head, Lease, ReplaceOptions, ReplaceResult } from '@godwit/store'
import { untilAborted } from '../../base/until-aborted.js'
import type { BackendEngine } from '../backend-engine.js'
import { ownObjects } from '../partitions/own-objects.js'
import { openDigest, withDigests } from '../pass-through/digest.js'
import { callSource } from '../sources/call-source.js'
import { announceChange, DRAIN_CHANNEL } from '../sources/channels.js'
import { isRecord } from '../sources/is-record.js'
import { notJson } from '../sources/not-json.js'
import { proofRecorder } from '../sources/record-proof.js'
import { refreshDescription } from '../sources/source-descriptions.js'
import { withLogin } from '../sources/with-login.js'
import type { QueryRun } from './query-runs.js'
import { confirmationOf, recordRemovals } from './removals.js'
import { pollMilliseconds } from './schedule.js'

/** A query in progress under its lease, over all its attempts. */
export interface RunningQuery {
  readonly lease: Lease
  /** The start, as a time of `performance.now()`. */
  readonly since: number
  /** The head at the first attempt; a due time set later is not served by this query. */
  begun?: Head
}

/** Runs one attempt of a query, whose result replaces the collection. Throws the source's error, or `backend_failed` if the result is refused. */
export async function attemptQuery(engine: BackendEngine, run: QueryRun, running: RunningQuery): Promise<void> {
  const { source, collection, user, parameters, epoch } = run
  const { store } = engine
  const head = await store.collections.head(collection)
  if (head === undefined || head.epoch !== epoch) return
  running.begun ??= head
  const options = await replaceOptions(engine, run, head, running)
  const timeout = source.queryTimeout
  const recordProof = proofRecorder(engine, source)
  const { beforeTimeout } = callSource(
    engine,
    { source, user, partition: collection.partition, timeout },
    (context, holdSignal) => {
      const parts = () =>
        untilAborted(
          ownParts(engine, run, {
            ...context,
            parameters: queryParametersOf(context, source, parameters),
            recordProof,
          }),
          context.signal,
          queryAbortedError,
        )
      return withLogin({ source, context, holdSignal }, async () => {
        const kept = source.passThrough ? withDigests(parts(), await openDigest(engine)) : parts()
        return store.collections.replace(collection, kept, options)
      })
    },
  )
  const replaced = await beforeTimeout
  if ('refused' in replaced) throw await replaceRefusedError(engine, collection, replaced.refused)
  await recordReplacement(engine, run, running, { head, replaced })
}

/** Yields the parts of a query without objects of other partitions. */
async function* ownParts(
  engine: BackendEngine,
  run: QueryRun,
  context: Omit<QueryContext, 'stash'>,
): AsyncGenerator<ObjectMap> {
  for await (const part of queryStream(run.source, context)) yield ownObjects(engine, run, part)
}

/** Returns the query parameters of the app; for a source with `by` those of the partition. */
const queryParametersOf = (
  context: SourceContext,
  { by }: Source,
  parameters: QueryRun['parameters'],
): QueryContext['parameters'] => (by === undefined ? parameters : (context.parameters as QueryContext['parameters']))

/** A feed skips partitions that do not exist yet, so a first reading of a backend that shows writes late is repeated once they show. */
async function readAgainIfSettling(
  { store }: BackendEngine,
  { feed, settle }: Source,
  collection: CollectionId,
  before: Head,
): Promise<void> {
  if (feed === undefined || settle === 0 || before.queriedAt !== undefined) return
  await store.collections.requestQuery(collection, (await store.now()) + settle * 1000)
}

/** Reports a replacement that was applied to watchers, the audit and devices, and reads the source's description. */
export async function recordReplacement(
  engine: BackendEngine,
  { source, collection, user, by }: QueryRun,
  { since }: Pick<RunningQuery, 'since'>,
  { head, replaced }: { readonly head: Head; readonly replaced: ReplaceResult },
): Promise<void> {
  if (head.queriedAt === undefined) engine.queryRuns.firstFailures.forget(collection, head.epoch)
  const { changed, removed, pendingRemovals } = replaced
  const pending = pendingRemovals && { pending_removals: pendingRemovals.count }
  const seconds = secondsSince(since)
  engine.reporter.report({ kind: 'query_done', ...collection, changed, removed, ...pending, seconds })
  await recordRemovals(engine, collection, head, replaced)
  await readAgainIfSettling(engine, source, collection, head)
  await announce(engine, collection, head, { ...replaced, by })
  await refreshDescription(engine, source, collection, user)
}

/** Returns the conditions of a replacement that begins now. */
export async function replaceOptions(
  engine: BackendEngine,
  run: QueryRun,
  head: Head,
  { lease: { fence }, begun }: RunningQuery,
): Promise<ReplaceOptions> {
  const { store } = engine
  const { source, collection } = run
  const { epoch, version, readAt } = head
  const visibleUntil = readAt - source.settle * 1000
  const since = source.settle > 0 ? await store.collections.versionAt(collection, visibleUntil) : version
  // With `settle`, this query may not show changes made just before it was requested, so it serves only earlier requests.
  const queriesRequested =
    source.settle > 0 && (head.queryRequestedAt ?? 0) > visibleUntil ? head.queriesServed : head.queriesRequested
  const times = { nextQueryIn: pollMilliseconds(source), nextQueryBefore: begun?.nextQuery }
  const { maxRemovedShare } = source
  return { epoch, fence, since, queriesRequested, maxRemovedShare, confirmation: confirmationOf(engine, run), ...times }
}

export const queryAbortedError = (): SyncError =>
  new SyncError('backend_timeout', 'The query was aborted: it timed out, or the server is stopping.')

/** Requests another reading, and returns the error that says why this one did not count. */
export async function replaceRefusedError(
  { store }: BackendEngine,
  collection: CollectionId,
  reason: 'epoch' | 'fence' | 'floor' | 'cursor',
): Promise<SyncError> {
  await store.collections.requestQuery(collection)
  return new SyncError('backend_failed', `The result of the query came too late (${reason}); it runs again.`)
}

async function announce(
  { store }: BackendEngine,
  collection: CollectionId,
  before: Head,
  { changed, removed, by }: ReplaceResult & Pick<QueryRun, 'by'>,
): Promise<void> {
  const isFirst = before.queriedAt === undefined
  // Devices wait for the end of a first query, even if it found nothing.
  if (isFirst || changed + removed > 0) await announceChange(store, collection, by)
  if (isFirst) await store.events.publish(DRAIN_CHANNEL, { ...collection })
}

/** Returns the seconds since a time of `performance.now()`. */
export const secondsSince = (time: number): number => (performance.now() - time) / 1000

/** Yields the result of a query in parts: first those that the source stashes, then those that it returns or yields. Throws the source's error. */
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

/** Yields the validated parts of a query's result. An undefined result is accepted only if parts were stashed. */
async function* partsOf(source: string, answer: unknown, stashed: boolean): AsyncGenerator<ObjectMap> {
  if (answer === undefined && stashed) return
  if (isStream(answer)) for await (const part of answer) yield checkPart(source, part)
  else yield checkPart(source, answer)
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/** The methods that return object maps. */
export type ReadMethod = 'query' | 'search' | 'get' | 'changes' | 'feed'

/** Returns the part if it is an object map. Throws `backend_failed`, which says what the source returned. */
export function checkPart(source: string, part: unknown, method: ReadMethod = 'query'): ObjectMap {
  const unlike = (got: string): SyncError => notAMap(source, method, got)
  if (!isRecord(part)) throw unlike(kindOf(part))
  for (const id of Object.keys(part)) {
    // Ids short enough in characters need no measuring in bytes.
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
