import { SyncError } from '@godwit/protocol'
import type { EventLoopTurns } from './event-loop-turns.js'
import { PerUserLimiter } from './per-user-limiter.js'

/** Pages of more rows are long work for a store that all processes share. */
const LARGE_PAGE = 1000
/** The number of large pages per user that this process reads at once. */
const READING = 2
/** Milliseconds after which the next page is read even if the store has not responded. */
const MAX_TURN = 5000
/** The number of connections limits the waiting pages. */
const UNBOUNDED = Number.POSITIVE_INFINITY

/**
 * Limits reads of large pages per user. A store that serves requests in order of arrival then has few of one user before those of others, and the
 * event loop is charged for each page.
 */
export class LargePages {
  readonly #turns: EventLoopTurns
  readonly #limiter = new PerUserLimiter({
    running: READING,
    waiting: UNBOUNDED,
    longest: MAX_TURN,
    refusal: () => new SyncError('store_unavailable', 'Too many large pages are being read. Try again.'),
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
