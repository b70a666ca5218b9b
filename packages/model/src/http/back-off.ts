/** The longest first wait, in milliseconds; each further one doubles. */
export const FIRST_BACK_OFF_MS = 1000
/** The longest wait unless the server asks for more: 5 minutes. */
export const MAX_BACK_OFF_MS = 300_000
/** The longest wait that a server can ask for: a day. */
export const MAX_RETRY_AFTER_MS = 86_400_000

/** Back-off after failures: a random part of 1 s, 2 s, 4 s … 5 min, so that devices do not return together, and never less than the server requested. */
export class BackOff {
  readonly #random: () => number
  #failures = 0

  /** `random` returns a number from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  get failures(): number {
    return this.#failures
  }

  /** Records a failure and returns the milliseconds to wait. `retryAfter` is the server's request, in seconds. */
  failed(retryAfter = 0): number {
    const most = Math.min(MAX_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** this.#failures)
    this.#failures++
    return Math.max(Math.min(retryAfter * 1000, MAX_RETRY_AFTER_MS), Math.floor(this.#random() * most))
  }

  succeeded(): void {
    this.#failures = 0
  }
}
