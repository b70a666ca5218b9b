/** Milliseconds of one turn of the event loop after which further requests of a user wait. */
const SHARE = 10
/** The most milliseconds charged to a user: at most a hundred turns to wait, which are idle if there are no other users. */
const MAX_DEBT = 1000

interface UserTurn {
  /** Milliseconds of the event loop used; each turn returns `SHARE` of them. */
  used: number
  /** The start of the current measurement, shared by all of the user's requests. */
  measuredSince: number | undefined
  readonly waiting: (() => void)[]
}

/** Shares the event loop between users: a user beyond its share waits a number of turns, during which other users' requests run. */
export class EventLoopTurns {
  readonly #users = new Map<string, UserTurn>()
  #isScheduled = false

  /** Returns undefined if the user may continue at once, else a promise for the request's turn. The work that follows is measured until it waits. */
  enter(user: string): Promise<void> | undefined {
    const turn = this.#users.get(user) ?? this.#begin(user)
    if (usedBy(turn) >= SHARE || turn.waiting.length > 0)
      return new Promise(resolve => {
        turn.waiting.push(() => {
          this.#measure(turn)
          resolve()
        })
      })
    this.#measure(turn)
    return undefined
  }

  /** Starts measuring again after a request has waited for a store, a backend or its turn. */
  resume(user: string): void {
    this.#measure(this.#users.get(user) ?? this.#begin(user))
  }

  /** Charges the duration of the work itself, as for a store that responds outside of what `enter` measures. */
  async charge<T>(user: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    const result = await work()
    const turn = this.#users.get(user) ?? this.#begin(user)
    if (turn.measuredSince === undefined) turn.used = Math.min(MAX_DEBT, turn.used + performance.now() - begun)
    this.#measure(turn)
    return result
  }

  #begin(user: string): UserTurn {
    const turn = { used: 0, measuredSince: undefined, waiting: [] }
    this.#users.set(user, turn)
    this.#schedule()
    return turn
  }

  /** The work after the call runs before the next tick unless it waits; a tick requested within a tick would run earlier. */
  #measure(turn: UserTurn): void {
    if (turn.measuredSince !== undefined) return
    turn.measuredSince = performance.now()
    queueMicrotask(() => process.nextTick(() => this.#add(turn)))
  }

  #add(turn: UserTurn): void {
    turn.used = Math.min(MAX_DEBT, usedBy(turn))
    turn.measuredSince = undefined
    if (turn.used < SHARE) turn.waiting.shift()?.()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#next()
    })
  }

  #next(): void {
    for (const [user, turn] of this.#users) {
      turn.used -= SHARE
      if (turn.used >= SHARE) continue
      const go = turn.waiting.shift()
      turn.used = Math.max(0, turn.used)
      if (go) go()
      else if (turn.used === 0) this.#users.delete(user)
    }
    if (this.#users.size > 0) this.#schedule()
  }
}

/** Returns the milliseconds used, including the current measurement. */
const usedBy = ({ used, measuredSince }: UserTurn): number =>
  measuredSince === undefined ? used : used + performance.now() - measuredSince
