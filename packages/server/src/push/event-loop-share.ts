/** Milliseconds of work after which a drain lets other requests in. */
const TIME_SLICE = 3

/**
 * Lets other requests in while a drain runs over a store that never waits: with a backend that does not either, all its mutations would be one turn of
 * the event loop. Where a store waits, as for a commit, the drain shares by itself, and a pause would split the group of a commit.
 */
export class EventLoopShare {
  #turn = 0
  #began = 0
  #isWatched = false
  #storeWaits = false

  /** True when the store ever answered later than in the turn in which it was asked. */
  get storeWaits(): boolean {
    return this.#storeWaits
  }

  /** Resolves with the answer of the store, and notes whether it waited. */
  async observe<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#storeWaits) return ask()
    const turn = this.#now()
    const answer = await ask()
    this.#storeWaits = turn !== this.#now()
    return answer
  }

  /** Resolves at once, or in the next turn when this one has lasted too long. */
  async pause(): Promise<void> {
    if (this.#storeWaits) return
    this.#now()
    if (performance.now() - this.#began >= TIME_SLICE) await new Promise<void>(resolve => setImmediate(resolve))
  }

  /** The number of this turn, whose beginning is when it is first asked for. */
  #now(): number {
    if (this.#isWatched) return this.#turn
    this.#isWatched = true
    this.#began = performance.now()
    // Runs when no microtask is left: an immediate may come after that of a commit which the store waits for.
    process.nextTick(() => {
      this.#isWatched = false
      this.#turn++
    })
    return this.#turn
  }
}
