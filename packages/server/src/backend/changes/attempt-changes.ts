import { type ObjectId, type ObjectMap, SyncError } from '@godwit/protocol'
import { isCursorGone } from '@godwit/source'
import type { Head, Lease } from '@godwit/store'
import { pause } from '../../base/pause.js'
import { untilAborted } from '../../base/until-aborted.js'
import type { BackendEngine } from '../backend-engine.js'
import { ownObjects } from '../partitions/own-objects.js'
import {
  attemptQuery,
  queryAbortedError,
  type RunningQuery,
  recordReplacement,
  replaceOptions,
  replaceRefusedError,
  secondsSince,
} from '../query/query-results.js'
import type { QueryRun } from '../query/query-runs.js'
import { pollMilliseconds } from '../query/schedule.js'
import { callSource } from '../sources/call-source.js'
import { announceChange } from '../sources/channels.js'
import { proofRecorder } from '../sources/record-proof.js'
import { withLogin } from '../sources/with-login.js'
import { applyReported, sinceSettled } from './apply-reported.js'
import { checkChangesPart, type Reported } from './reported.js'

const READER = 'changes'

/** A run of changes with its collection as it began. */
interface ChangesRun {
  readonly engine: BackendEngine
  readonly run: QueryRun
  readonly running: RunningQuery
  readonly head: Head
}

type Part = Reported & { readonly cursor?: string }

/**
 * Runs one attempt to bring a partition up to date by `changes`: from the stored cursor, or from `null` as a replacement. A cursor that is gone starts
 * over. Once per `reconcileInterval` the source's `query` runs instead. Throws the source's error.
 */
export async function attemptChanges(engine: BackendEngine, run: QueryRun, running: RunningQuery): Promise<void> {
  const { collections } = engine.store
  const head = await collections.head(run.collection)
  if (head === undefined || head.epoch !== run.epoch) return
  running.begun ??= head
  const changes = { engine, run, running, head }
  if (isReconciliationDue(run, head))
    return withQueryLease(changes, lease => attemptQuery(engine, run, { ...running, lease }))
  const cursor = await collections.cursor(run.collection)
  if (cursor === null) return replaceByChanges(changes)
  try {
    await followChanges(changes, cursor)
  } catch (error) {
    if (!isCursorGone(error)) throw error
    engine.log.info({ ...run.collection, reason: error.message }, 'the cursor of a source is gone: reading starts over')
    await move(changes, {}, { previous: await collections.cursor(run.collection), next: null })
    await replaceByChanges(changes)
  }
}

const isReconciliationDue = (
  { source: { methods, reconcileInterval } }: QueryRun,
  { queriedAt, readAt }: Head,
): boolean =>
  methods.query !== undefined &&
  reconcileInterval > 0 &&
  queriedAt !== undefined &&
  readAt - queriedAt >= reconcileInterval * 1000

/** Replaces the partition by what the source yields from `null`. The cursor is stored only after all of it was applied. */
function replaceByChanges(changes: ChangesRun): Promise<void> {
  return withQueryLease(changes, async lease => {
    const { engine, run, head } = changes
    const running = { ...changes.running, lease }
    const options = await replaceOptions(engine, run, head, running)
    const whole = new WholeReading(run.source.name, objects => ownObjects(engine, run, objects))
    const replaced = await withParts(changes, null, parts =>
      engine.store.collections.replace(run.collection, whole.objectsOf(parts), options),
    )
    if ('refused' in replaced) throw await replaceRefusedError(engine, run.collection, replaced.refused)
    await recordReplacement(engine, run, running, { head, replaced })
    // What was spared or held back is decided by another whole reading.
    if (replaced.spared > 0 || replaced.pendingRemovals !== undefined) return
    await move(changes, { remove: [...whole.removed] }, { previous: null, next: whole.cursor })
  })
}

/** The parts of a replacement, with what they remove and the last cursor. */
class WholeReading {
  readonly removed = new Set<ObjectId>()
  readonly #source: string
  readonly #own: (objects: ObjectMap) => ObjectMap
  #cursor: string | undefined

  constructor(source: string, own: (objects: ObjectMap) => ObjectMap) {
    this.#source = source
    this.#own = own
  }

  get cursor(): string {
    return this.#cursor ?? ''
  }

  async *objectsOf(parts: AsyncIterable<Part>): AsyncGenerator<ObjectMap> {
    for await (const { objects, removed, cursor } of parts) {
      for (const id of Object.keys(objects)) this.removed.delete(id)
      for (const id of removed) this.removed.add(id)
      this.#cursor = cursor ?? this.#cursor
      yield this.#own(objects)
    }
    // Thrown before anything is replaced.
    if (this.#cursor === undefined)
      throw new SyncError('backend_failed', `The changes of ${this.#source}: expected a cursor from null, got none.`)
  }
}

/** Applies the parts after a cursor as they arrive, each with its own cursor in one step, then records that everything was read. */
async function followChanges(changes: ChangesRun, from: string): Promise<void> {
  const { engine, run, running, head } = changes
  const { source, collection, user, by } = run
  const target = { source, collection, user, epoch: head.epoch, reader: READER, fence: running.lease.fence }
  let [cursor, changed] = [from, 0]
  const isComplete = await withParts(changes, from, async parts => {
    const iterator = parts[Symbol.asyncIterator]()
    for (;;) {
      // Taken before the part is requested: what is written after it may be missing in the part.
      const since = await sinceNow(changes)
      const { done, value } = await iterator.next()
      if (done) return true
      const next = value.cursor ?? cursor
      const applied = await applyReported(engine, { ...target, since, cursor: { previous: cursor, next } }, value)
      if ('refused' in applied) throw await replaceRefusedError(engine, collection, applied.refused)
      changed += applied.changed
      if (applied.changed > 0) await announceChange(engine.store, collection, by)
      if (applied.spared.length > 0) {
        await iterator.return(undefined)
        return false
      }
      cursor = next
    }
  })
  // Spared objects are decided by the next run, which begins at the same cursor.
  if (isComplete) await recordEnd(changes, cursor)
  engine.reporter.report({
    kind: 'query_done',
    ...collection,
    changed,
    removed: 0,
    seconds: secondsSince(running.since),
  })
}

async function sinceNow({ engine, run }: ChangesRun): Promise<number> {
  const version = (await engine.store.collections.head(run.collection))?.version ?? 0
  return sinceSettled(engine, run, version)
}

/** Calls `changes`, and works on its parts. The time-out counts for each part, and ends the wait for a source that ignores the signal. */
function withParts<T>(
  { engine, run }: ChangesRun,
  cursor: string | null,
  work: (parts: AsyncGenerator<Part>) => Promise<T>,
): Promise<T> {
  const { source, collection, user } = run
  const call = { source, user, partition: collection.partition, timeout: source.queryTimeout }
  const recordProof = proofRecorder(engine, source)
  return callSource(engine, call, (context, holdSignal, restartTimer) => {
    const given = { ...context, cursor, recordProof }
    const parts = () => untilAborted(partsOf(run, source.methods.changes?.(given)), context.signal, queryAbortedError)
    return withLogin({ source, context, holdSignal }, () => work(timed(parts(), restartTimer)))
  }).beforeTimeout
}

async function* timed(parts: AsyncIterable<Part>, restartTimer: () => void): AsyncGenerator<Part> {
  for await (const part of parts) {
    restartTimer()
    yield part
    restartTimer()
  }
}

async function* partsOf({ source: { name } }: QueryRun, answer: unknown): AsyncGenerator<Part> {
  const stream = await answer
  if (typeof stream !== 'object' || stream === null || !(Symbol.asyncIterator in stream || Symbol.iterator in stream))
    throw new SyncError('backend_failed', `The changes of ${name}: expected a stream of parts, got ${typeof stream}.`)
  for await (const part of stream as AsyncIterable<unknown>) yield checkChangesPart(name, part)
}

interface Move {
  readonly previous: string | null
  readonly next: string | null
}

async function move(
  { engine, run, running, head }: ChangesRun,
  batch: { readonly remove?: readonly ObjectId[] },
  cursor: Move,
) {
  const { store } = engine
  const since = (await store.collections.head(run.collection))?.version ?? 0
  const options = { epoch: head.epoch, reader: READER, fence: running.lease.fence, since, cursor }
  const moved = await store.collections.advance(run.collection, batch, options)
  if ('refused' in moved) throw await replaceRefusedError(engine, run.collection, moved.refused)
}

async function recordEnd({ engine, run, running, head }: ChangesRun, cursor: string): Promise<void> {
  const { store } = engine
  const { source, collection } = run
  const visibleUntil = head.readAt - source.settle * 1000
  const queriesRequested =
    source.settle > 0 && (head.queryRequestedAt ?? 0) > visibleUntil ? head.queriesServed : head.queriesRequested
  const ended = await store.collections.advance(
    collection,
    {},
    {
      ...{ epoch: head.epoch, reader: READER, fence: running.lease.fence, since: head.version },
      cursor: { previous: cursor, next: cursor },
      end: { queriesRequested, nextQueryIn: pollMilliseconds(source), nextQueryBefore: running.begun?.nextQuery },
    },
  )
  // With nothing to write, an older version than the floor is refused and harmless: the next run ends as well.
  if ('refused' in ended && ended.refused !== 'floor')
    throw await replaceRefusedError(engine, collection, ended.refused)
}

const LEASE_PAUSE = 50
const LEASE_ATTEMPTS = 200

/** Runs a replacement under the collection's `query` lease. Those who only wait for a query hold it for a moment. */
async function withQueryLease({ engine, run }: ChangesRun, work: (lease: Lease) => Promise<void>): Promise<void> {
  const { store, holder, limits, stopping } = engine
  const name = { kind: 'query', collection: run.collection } as const
  const milliseconds = limits.queryLease * 1000
  for (let attempt = 0; attempt < LEASE_ATTEMPTS && !stopping.aborted; attempt++) {
    const lease = await store.leases.acquire(name, { holder, milliseconds })
    if (lease === undefined) {
      await pause(LEASE_PAUSE, stopping)
      continue
    }
    const renewing = setInterval(
      () => void store.leases.renew(lease, milliseconds).catch(() => {}),
      milliseconds / 3,
    ).unref()
    try {
      return await work(lease)
    } finally {
      clearInterval(renewing)
      await store.leases.release(lease)
    }
  }
  throw new SyncError('backend_failed', 'expected no other query of the partition, got one that does not end.')
}
