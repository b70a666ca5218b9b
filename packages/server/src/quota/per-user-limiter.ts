interface UserQueue {
  running: number
  readonly waiting: (() => void)[]
}

/** How much of one user a `PerUserLimiter` runs and keeps waiting. */
export interface PerUserLimiterOptions {
  /** How many of one user run at once. */
  readonly running: number
  /** How many of one user may wait. */
  readonly waiting: number
  /** How long a turn lasts, in milliseconds: work that takes longer goes on without it. */
  readonly longest: number
  /** What is thrown at work for which no place to wait is left. */
  readonly refusal: () => Error
}

/** Limits how many tasks of one user run at once; the others wait in that user's queue, and no user waits behind another. */
export class PerUserLimiter {
  readonly #users = new Map<string, UserQueue>()
  readonly #options: PerUserLimiterOptions

  constructor(options: PerUserLimiterOptions) {
    this.#options = options
  }

  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const turns = this.#users.get(user) ?? { running: 0, waiting: [] }
    this.#users.set(user, turns)
    if (turns.running < this.#options.running) turns.running++
    else await this.#wait(turns)
    const end = once(() => this.#end(user, turns))
    const timer = setTimeout(end, this.#options.longest).unref()
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      end()
    }
  }

  #wait({ waiting }: UserQueue): Promise<void> {
    if (waiting.length >= this.#options.waiting) throw this.#options.refusal()
    return new Promise(resolve => waiting.push(resolve))
  }

  /** The next in line takes the turn over. */
  #end(user: string, turns: UserQueue): void {
    const next = turns.waiting.shift()
    if (next) next()
    else if (--turns.running === 0) this.#users.delete(user)
  }
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}
