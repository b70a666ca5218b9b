import { isSqlTimeout } from '../query/time-limit.js'
import type { ObservedQueries } from './observed-queries.js'

/** Pause as a multiple of the exceeded time limit: a slow live query takes at most a tenth of the thread. */
const PAUSE_FACTOR = 10
const MAX_PAUSE_MS = 60_000

/** Pauses a live query after `sql_timeout`, so that it does not delay each write. Each consecutive timeout doubles the pause. */
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

  /** Returns true if an error should be reported: of consecutive timeouts, only the first. A timeout also starts a pause. */
  isNews(error: unknown): boolean {
    if (!isSqlTimeout(error)) {
      this.end()
      return true
    }
    const wait = Math.min(MAX_PAUSE_MS, Number(error.details['milliseconds']) * PAUSE_FACTOR * 2 ** this.#inARow)
    this.#cancel?.()
    this.#cancel = this.#live.later(() => {
      this.#cancel = undefined
      this.#ask()
    }, wait)
    return this.#inARow++ === 0
  }

  /** Ends the pause. Call it when the query succeeds or has no observers. */
  end(): void {
    this.#inARow = 0
    this.#cancel?.()
    this.#cancel = undefined
  }
}
