import { SyncError } from '@godwit/protocol'
import { pause } from '../pause.js'
import { EndSignal } from '../sources/end-signal.js'

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
  readonly #begun = new Map<string, number>()

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
    const left = (this.#begun.get(key) ?? Number.NEGATIVE_INFINITY) + interval - performance.now()
    if (left > 0) await pause(left, ended.signal)
    if (ended.signal.aborted) return
    if (this.#begun.size >= MAX_RUNS) this.#forget(interval)
    this.#begun.set(key, performance.now())
    await work(ended.signal)
  }

  /** Those whose interval is over; all of them where that is not enough. */
  #forget(interval: number): void {
    const since = performance.now() - interval
    for (const [key, begun] of this.#begun) if (begun <= since) this.#begun.delete(key)
    if (this.#begun.size >= MAX_RUNS) this.#begun.clear()
  }
}

/** Who waits for a query. Its signal is asked for only by a wait: most pulls wait for nothing, and to make one is dear. */
export interface WaitingCaller {
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
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
