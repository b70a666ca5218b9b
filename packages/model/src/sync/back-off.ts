/** The first wait is at most this long, each further one twice as long. Milliseconds. */
export const FIRST_WAIT = 1000
/** No wait of the device's own choice is longer: 5 minutes. */
export const LONGEST_WAIT = 300_000
/** However long a server asks to be left alone, it is asked again after a day. */
export const LONGEST_ASKED = 86_400_000

/**
 * How long to wait after failures: a random share of 1 s, 2 s, 4 s … 5 min, so that devices which failed together don't come back together,
 * and never less than the server asked for.
 */
export class BackOff {
  readonly #random: () => number
  #failures = 0

  /** `random` gives a share from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  get failures(): number {
    return this.#failures
  }

  /** One more failure: the milliseconds to wait. `retryAfter`: what the server asked for, in seconds. */
  failed(retryAfter = 0): number {
    const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures)
    this.#failures++
    return Math.max(Math.min(retryAfter * 1000, LONGEST_ASKED), Math.floor(this.#random() * most))
  }

  succeeded(): void {
    this.#failures = 0
  }
}
