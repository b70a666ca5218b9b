import type { TransactionListener } from '../live/write-listeners.js'
import type { Timers } from '../platform/timers.js'

/** Milliseconds without a transaction after which the database counts as idle. */
const IDLE_AFTER_MS = 1000

/** Reports when no transactions run. */
export class IdleDetector implements TransactionListener {
  readonly #timers: Timers
  readonly #rest: () => void
  #isWaiting = false
  #isBusy = false

  constructor(timers: Timers, rest: () => void) {
    this.#timers = timers
    this.#rest = rest
  }

  committed(): void {
    this.#isBusy = true
    if (!this.#isWaiting) this.#wait()
  }

  rolledBack(): void {}

  #wait(): void {
    this.#isWaiting = true
    this.#isBusy = false
    this.#timers.set(() => {
      if (this.#isBusy) return this.#wait()
      this.#isWaiting = false
      this.#rest()
    }, IDLE_AFTER_MS)
  }
}
