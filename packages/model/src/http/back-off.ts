/** The longest first wait, in milliseconds; each further one doubles. */
export const FIRST_WAIT = 1000
/** The longest wait unless the server asks for more: 5 minutes. */
export const LONGEST_WAIT = 300_000
/** The longest wait that a server can ask for: a day. */
export const LONGEST_ASKED = 86_400_000

/** Back-off after failures: a random part of 1 s, 2 s, 4 s … 5 min, so that devices do not return together, and never less than the server asked for. */
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
    const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures)
    this.#failures++
    return Math.max(Math.min(retryAfter * 1000, LONGEST_ASKED), Math.floor(this.#random() * most))
  }

  succeeded(): void {
    this.#failures = 0
  }
}
