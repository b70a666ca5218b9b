import type { Metrics } from '../measure/metrics.js'
import type { Limits } from '../options.js'
import { PerUserLimiter } from './per-user-limiter.js'
import { quotaExceeded } from './quota-exceeded.js'

/** A push of more bytes, or of a size that is not announced, is long work: one of each user at a time. */
export const LARGE_PUSH = 64 * 1024
/** A push that waits for its backend longer than that passes its turn on, in milliseconds. */
const MAX_TURN = 1000
const WAITING = 32

/** Turns of users to push, before the body is read: however much one of them sends, the others wait for little of it. */
export class PushLimiter {
  readonly #small: PerUserLimiter
  readonly #large: PerUserLimiter

  constructor(engine: { readonly limits: Pick<Limits, 'pushesPerUser'>; readonly metrics: Metrics }) {
    const running = engine.limits.pushesPerUser
    const message = `A user has at most ${running} pushes under way here, one of them over ${LARGE_PUSH} bytes, and ${WAITING} that wait. Send the next one when one was answered.`
    const refusal = () => quotaExceeded(engine, { limit: 'pushesPerUser', message, retryAfter: 1 })
    const line = { waiting: WAITING, longest: MAX_TURN, refusal }
    this.#small = new PerUserLimiter({ running, ...line })
    this.#large = new PerUserLimiter({ running: 1, ...line })
  }

  /** Does the work of a push in the user's turn. `length` is the announced size of the body. */
  run<T>(user: string, length: string | undefined, work: () => Promise<T>): Promise<T> {
    const turns = Number(length ?? Number.POSITIVE_INFINITY) <= LARGE_PUSH ? this.#small : this.#large
    return turns.run(user, work)
  }
}
