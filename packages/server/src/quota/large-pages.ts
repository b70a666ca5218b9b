import { SyncError } from '@godwit/protocol'
import type { EventLoopTurns } from './event-loop-turns.js'
import { PerUserLimiter } from './per-user-limiter.js'

/** A page of more rows is long work for a store that all processes share. */
const LARGE_PAGE = 1000
/** How many large pages of one user this process reads at once. */
const READING = 2
/** Milliseconds after which the next page is read although the store has not answered. */
const MAX_TURN = 5000
/** As many wait as there are connections. */
const UNBOUNDED = Number.POSITIVE_INFINITY

/**
 * Turns of users to read large pages. A store that serves requests in the order of their arrival has few of one user before those of others,
 * and pages that waited together are read in as many turns of the event loop as they cost.
 */
export class LargePages {
  readonly #turns: EventLoopTurns
  readonly #limiter = new PerUserLimiter({
    running: READING,
    waiting: UNBOUNDED,
    longest: MAX_TURN,
    refusal: () => new SyncError('store_unavailable', 'Too many pages wait to be read. Try again.'),
  })

  constructor(turns: EventLoopTurns) {
    this.#turns = turns
  }

  run<T>(user: string, rows: number, read: () => Promise<T>): Promise<T> {
    return rows > LARGE_PAGE ? this.#limiter.run(user, () => this.#readInTurn(user, read)) : read()
  }

  async #readInTurn<T>(user: string, read: () => Promise<T>): Promise<T> {
    const turn = this.#turns.enter(user)
    if (turn) await turn
    return this.#turns.charge(user, read)
  }
}
