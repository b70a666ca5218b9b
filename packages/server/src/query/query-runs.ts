import { SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { pause } from '../pause.js'
import { EndSignal } from '../sources/end-signal.js'
import type { Source } from '../sources/source.js'

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

/** A query that a pull or the server asks for, and who waits for it. */
export interface QueryRequest extends QueryRun {
  /** The id of the client that asks. Absent: the server itself asks. */
  readonly client?: string
  readonly caller?: WaitingCaller | undefined
}

/** Who waits for a query. Its signal is asked for only by a wait: most pulls wait for nothing, and to make one is dear. */
export interface WaitingCaller {
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
}

/** How a run ended. `elsewhere`: another process runs the query. `abandoned`: no caller waited any more; a query that was due still is. */
export type RunEnd = 'ran' | 'elsewhere' | 'abandoned'

/** The queries that run in this process. */
export class QueryRuns {
  readonly parameters: ParameterRuns
  readonly firstFailures = new FirstQueryFailures()
  readonly #sharedRuns = new Map<string, Promise<RunEnd>>()

  constructor(stopping: AbortSignal) {
    this.parameters = new ParameterRuns(stopping)
  }

  /** The run of a collection that is under way here. */
  present(collection: CollectionId): Promise<RunEnd> | undefined {
    return this.#sharedRuns.get(keyOf(collection))
  }

  /** Joins the run of the collection that is under way, or begins one. With an epoch, runs of other epochs are other runs. */
  share(collection: CollectionId, epoch: string | undefined, begin: () => Promise<RunEnd>): Promise<RunEnd> {
    const key = keyOf(collection, epoch)
    const present = this.#sharedRuns.get(key)
    if (present !== undefined) return present
    const run = begin().finally(() => this.#sharedRuns.delete(key))
    this.#sharedRuns.set(key, run)
    return run
  }
}

/** Milliseconds from the first failure of a first query to the next attempt; each further one waits twice as long. */
const FIRST_PAUSE = 5_000
const LONGEST_PAUSE = 300_000
const MAX_FAILURES = 10_000

/** How often first queries failed. Forgetting it costs a call, not a fact. */
class FirstQueryFailures {
  readonly #failures = new Map<string, number>()

  /** Counts a failure, and returns the milliseconds until the query is tried again. */
  pause(collection: CollectionId, epoch: string): number {
    const key = keyOf(collection, epoch)
    const failed = this.#failures.get(key) ?? 0
    if (this.#failures.size >= MAX_FAILURES) this.#failures.clear()
    this.#failures.set(key, failed + 1)
    return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failed)
  }

  forget(collection: CollectionId, epoch: string): void {
    this.#failures.delete(keyOf(collection, epoch))
  }
}

const keyOf = ({ source, partition }: CollectionId, epoch?: string): string =>
  JSON.stringify([source, partition, epoch])

/** One run that a client asked for with parameters: it waits for its turn, or is under way. */
interface ParameterRun {
  readonly ended: EndSignal
  readonly over: Promise<void>
}

interface ParameterRunOptions {
  /** Client and source. */
  readonly key: string
  readonly caller: WaitingCaller | undefined
  /** Milliseconds from the beginning of one run to that of the next. */
  readonly interval: number
}

const MAX_RUNS = 10_000

/**
 * Queries with parameters: each client has at most one per source, waiting or under way, and begins one at most once in an interval; the newest replaces the
 * one before. A run ends when its caller is gone.
 */
export class ParameterRuns {
  readonly #stopping: AbortSignal
  readonly #runs = new Map<string, ParameterRun>()
  /** By a clock that never runs back, in milliseconds. */
  readonly #startedAt = new Map<string, number>()

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
  }

  /** Resolves when the run is over, or another one took its place. Rejects when its caller is gone. */
  async run(
    { key, caller, interval }: ParameterRunOptions,
    work: (ended: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const before = this.#runs.get(key)
    before?.ended.end()
    const ended = new EndSignal(this.#stopping)
    const leave = (): void => ended.end()
    if (caller?.signal.aborted) throw callerGone()
    caller?.signal.addEventListener('abort', leave)
    const over = this.#begin({ key, interval, before, ended }, work)
    const run = { ended, over: over.catch(() => undefined) }
    this.#runs.set(key, run)
    try {
      await over
    } finally {
      if (this.#runs.get(key) === run) this.#runs.delete(key)
      caller?.signal.removeEventListener('abort', leave)
      ended.release()
    }
    if (caller?.signal.aborted) throw callerGone()
  }

  /** How many wait or are under way. */
  get size(): number {
    return this.#runs.size
  }

  async #begin(
    {
      key,
      interval,
      before,
      ended,
    }: Omit<ParameterRunOptions, 'caller'> & Pick<ParameterRun, 'ended'> & { before: ParameterRun | undefined },
    work: (ended: AbortSignal) => Promise<void>,
  ): Promise<void> {
    await before?.over
    const left = (this.#startedAt.get(key) ?? Number.NEGATIVE_INFINITY) + interval - performance.now()
    if (left > 0) await pause(left, ended.signal)
    if (ended.signal.aborted) return
    if (this.#startedAt.size >= MAX_RUNS) this.#forget(interval)
    this.#startedAt.set(key, performance.now())
    await work(ended.signal)
  }

  /** Those whose interval is over; all of them where that is not enough. */
  #forget(interval: number): void {
    const since = performance.now() - interval
    for (const [key, begun] of this.#startedAt) if (begun <= since) this.#startedAt.delete(key)
    if (this.#startedAt.size >= MAX_RUNS) this.#startedAt.clear()
  }
}

/** Resolves with the work, or rejects as soon as the caller is gone; the work goes on. */
export function unlessCallerGone<T>(work: Promise<T>, caller: WaitingCaller | undefined): Promise<T> {
  if (caller === undefined) return work
  const { signal } = caller
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(callerGone())
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** The error that ends the work of a request whose caller is gone. It is never sent. */
export const callerGone = (): SyncError =>
  new SyncError('backend_timeout', 'expected the caller to wait for the query, got its end before.')
