import { SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { pause } from '../../base/pause.js'
import { EndSignal } from '../sources/end-signal.js'

/** A query to run, and the user that it runs for. */
export interface QueryRun {
  readonly source: Source
  readonly collection: CollectionId
  readonly user: string
  /** The query parameters of the app's sync. */
  readonly parameters: { readonly [name: string]: string }
  /**
   * The epoch of the collection when the query was requested; a collection with another one is left unchanged. Absent: the present epoch, or a new
   * collection if there is none.
   */
  readonly epoch?: string
  /** Aborts when no caller waits any more: the query is abandoned and not recorded. Without it the query always runs to its end. */
  readonly ended?: AbortSignal
  /** True for a pull that follows a change event: it does not make a source with `pollInterval` 0 due. */
  readonly isHinted?: boolean
  /** True for a query that the server runs by itself: nothing is done if another process ran it meanwhile. */
  readonly isOnlyIfDue?: boolean
  /** The client that waits for the query and receives its changes. */
  readonly by?: string | undefined
}

/** A query requested by a pull or the server, with its waiting caller. */
export interface QueryRequest extends QueryRun {
  /** The id of the requesting client. Absent: the server. */
  readonly client?: string
  readonly caller?: WaitingCaller | undefined
}

/** A caller that waits for a query. Its signal is read only when waiting, since most pulls do not wait and creating a signal is expensive. */
export interface WaitingCaller {
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
}

/** The end of a run. `elsewhere`: another process runs the query. `abandoned`: no caller waited any more; a query that was due still is. */
export type RunEnd = 'ran' | 'elsewhere' | 'abandoned'

/** The queries in progress in this process. */
export class QueryRuns {
  readonly parameters: ParameterRuns
  readonly firstFailures = new FirstQueryFailures()
  readonly #sharedRuns = new Map<string, Promise<RunEnd>>()

  constructor(stopping: AbortSignal) {
    this.parameters = new ParameterRuns(stopping)
  }

  /** Returns the run of a collection that is in progress in this process. */
  present(collection: CollectionId): Promise<RunEnd> | undefined {
    return this.#sharedRuns.get(keyOf(collection))
  }

  /** Joins the run of the collection in progress, or starts one. With an epoch, only runs of the same epoch are shared. */
  share(collection: CollectionId, epoch: string | undefined, begin: () => Promise<RunEnd>): Promise<RunEnd> {
    const key = keyOf(collection, epoch)
    const present = this.#sharedRuns.get(key)
    if (present !== undefined) return present
    const run = begin().finally(() => this.#sharedRuns.delete(key))
    this.#sharedRuns.set(key, run)
    return run
  }
}

/** Milliseconds between the first failure of a first query and the next attempt; each further pause is twice as long. */
const FIRST_PAUSE = 5_000
const MAX_PAUSE_MS = 300_000
const MAX_FAILURES = 10_000

/** Counts failures of first queries. Losing a count costs a call, not data. */
class FirstQueryFailures {
  readonly #failures = new Map<string, number>()

  /** Counts a failure, and returns the milliseconds until the next attempt. */
  pause(collection: CollectionId, epoch: string): number {
    const key = keyOf(collection, epoch)
    const failed = this.#failures.get(key) ?? 0
    if (this.#failures.size >= MAX_FAILURES) this.#failures.clear()
    this.#failures.set(key, failed + 1)
    return Math.min(MAX_PAUSE_MS, FIRST_PAUSE * 2 ** failed)
  }

  forget(collection: CollectionId, epoch: string): void {
    this.#failures.delete(keyOf(collection, epoch))
  }
}

const keyOf = ({ source, partition }: CollectionId, epoch?: string): string =>
  JSON.stringify([source, partition, epoch])

/** A query with parameters of one client, waiting or in progress. */
interface ParameterRun {
  readonly ended: EndSignal
  readonly over: Promise<void>
}

interface ParameterRunOptions {
  /** The client and source. */
  readonly key: string
  readonly caller: WaitingCaller | undefined
  /** The minimum milliseconds between the starts of two runs. */
  readonly interval: number
}

const MAX_RUNS = 10_000

/**
 * Runs queries with parameters: each client has at most one per source, waiting or in progress, and starts one at most once per interval; a new one
 * replaces the previous one. A run ends when its caller disconnects.
 */
export class ParameterRuns {
  readonly #stopping: AbortSignal
  readonly #runs = new Map<string, ParameterRun>()
  /** In milliseconds of a monotonic clock. */
  readonly #startedAt = new Map<string, number>()

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
  }

  /** Resolves when the run ends or is replaced by another one. Rejects when its caller disconnects. */
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

  /** The number of runs waiting or in progress. */
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

  /** Removes starts older than the interval, or all of them if too many remain. */
  #forget(interval: number): void {
    const since = performance.now() - interval
    for (const [key, begun] of this.#startedAt) if (begun <= since) this.#startedAt.delete(key)
    if (this.#startedAt.size >= MAX_RUNS) this.#startedAt.clear()
  }
}

/** Resolves with the result of the work, or rejects as soon as the caller disconnects; the work continues. */
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

/** The error that ends the work of a request whose caller disconnected. It is never sent. */
export const callerGone = (): SyncError =>
  new SyncError('backend_timeout', 'expected the caller to wait for the query, got its end before.')
