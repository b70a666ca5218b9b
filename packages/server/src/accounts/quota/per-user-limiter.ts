interface UserQueue {
  running: number
  readonly waiting: (() => void)[]
}

/** The limits of a `PerUserLimiter`. */
export interface PerUserLimiterOptions {
  /** The number of tasks per user that run at once. */
  readonly running: number
  /** The number of tasks per user that may wait. */
  readonly waiting: number
  /** The longest turn in milliseconds; a longer task continues, but its slot is free. */
  readonly longest: number
  /** Makes the error for a task beyond the queue's limit. */
  readonly refusal: () => Error
}

/** Limits the concurrent tasks of each user; further tasks wait in that user's queue, and no user waits behind another. */
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

  /** Hands the slot to the next task in the queue, or frees it. */
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
