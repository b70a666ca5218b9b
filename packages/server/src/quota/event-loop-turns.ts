/** Milliseconds of one turn of the event loop after which further requests of a user wait. */
const SHARE = 10
/** The most that requests cost their user's next ones, in milliseconds: a user who comes alone waits for a hundred turns that do nothing. */
const MAX_DEBT = 1000

interface UserTurn {
  /** Milliseconds of the event loop that were used; each turn gives `SHARE` of them back. */
  used: number
  /** Since when what runs now is measured, for all of the user's requests together. */
  measuredSince: number | undefined
  readonly waiting: (() => void)[]
}

/** Shares the event loop between users: who used more than a share of it waits until as many turns are over, in which requests of others are served. */
export class EventLoopTurns {
  readonly #users = new Map<string, UserTurn>()
  #isScheduled = false

  /** Undefined where the user may go on at once, else a promise that resolves when it is the request's turn. What follows counts, until it waits for something. */
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

  /** What follows counts, of a request that has waited: for a store, a backend or its turn. */
  resume(user: string): void {
    this.#measure(this.#users.get(user) ?? this.#begin(user))
  }

  /** Counts the time of the work itself, which is long for this process too: a store may answer outside of what `enter` measures. */
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

  /** What follows the call runs before the next tick, as far as it waits for nothing; a tick that is asked for in a tick would come before it. */
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

/** With what is being measured. */
const usedBy = ({ used, measuredSince }: UserTurn): number =>
  measuredSince === undefined ? used : used + performance.now() - measuredSince
