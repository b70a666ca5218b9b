import { isSqlTimeout } from '../database/time-limit.js'
import type { ObservedQueries } from './observed-queries.js'

/** Of the time limit that was exceeded: a live query that is too slow has at most a tenth of the thread. */
const TIMES = 10
const MAX_PAUSE = 60_000

/** Lets a live query wait after `sql_timeout`, so that writes do not wait for it each time; then it is asked again, with longer waits each time. */
export class TimeoutPause {
  readonly #live: ObservedQueries
  readonly #ask: () => void
  #cancel: (() => void) | undefined
  #inARow = 0

  constructor(live: ObservedQueries, ask: () => void) {
    this.#live = live
    this.#ask = ask
  }

  get isOn(): boolean {
    return this.#cancel !== undefined
  }

  /** Whether to tell of an error: each, but of time-outs in a row only the first. Begins a pause after a time-out. */
  isNews(error: unknown): boolean {
    if (!isSqlTimeout(error)) {
      this.end()
      return true
    }
    const wait = Math.min(MAX_PAUSE, Number(error.details['milliseconds']) * TIMES * 2 ** this.#inARow)
    this.#cancel?.()
    this.#cancel = this.#live.later(() => {
      this.#cancel = undefined
      this.#ask()
    }, wait)
    return this.#inARow++ === 0
  }

  /** The query answered, or its observers are gone. */
  end(): void {
    this.#inARow = 0
    this.#cancel?.()
    this.#cancel = undefined
  }
}
