import type { Limits } from '../../base/limits.js'
import { PerUserLimiter } from './per-user-limiter.js'
import { type QuotaMetrics, quotaExceeded } from './quota-exceeded.js'

/** A push of more bytes, or of unknown size, is long work: one per user at a time. */
export const LARGE_PUSH = 64 * 1024
/** Milliseconds after which a push that waits for its backend frees its slot. */
const MAX_TURN = 1000
const WAITING = 32

/** Limits pushes per user before their bodies are read, so that one user's pushes hardly delay others. */
export class PushLimiter {
  readonly #small: PerUserLimiter
  readonly #large: PerUserLimiter

  constructor(engine: { readonly limits: Pick<Limits, 'pushesPerUser'>; readonly metrics: QuotaMetrics }) {
    const running = engine.limits.pushesPerUser
    const message = `A user has at most ${running} pushes under way here, one of them over ${LARGE_PUSH} bytes, and ${WAITING} that wait. Send the next one when one was answered.`
    const refusal = () => quotaExceeded(engine, { limit: 'pushesPerUser', message, retryAfter: 1 })
    const line = { waiting: WAITING, longest: MAX_TURN, refusal }
    this.#small = new PerUserLimiter({ running, ...line })
    this.#large = new PerUserLimiter({ running: 1, ...line })
  }

  /** Runs a push in the user's turn. `length` is the announced size of the body. */
  run<T>(user: string, length: string | undefined, work: () => Promise<T>): Promise<T> {
    const turns = Number(length ?? Number.POSITIVE_INFINITY) <= LARGE_PUSH ? this.#small : this.#large
    return turns.run(user, work)
  }
}
