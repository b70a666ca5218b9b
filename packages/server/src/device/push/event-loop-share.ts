/** Milliseconds of work after which a drain yields to other requests. */
const TIME_SLICE = 3

/**
 * Yields to other requests while a drain runs over a store that never waits: with a synchronous backend, all mutations would run in one turn of the
 * event loop. A store that waits, as for a commit, yields by itself, and a pause would split its group commit.
 */
export class EventLoopShare {
  #turn = 0
  #began = 0
  #isWatched = false
  #storeWaits = false

  /** True if the store has ever answered in a later turn than the call. */
  get storeWaits(): boolean {
    return this.#storeWaits
  }

  /** Resolves with the result from the store, and records whether it waited. */
  async observe<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#storeWaits) return ask()
    const turn = this.#now()
    const answer = await ask()
    this.#storeWaits = turn !== this.#now()
    return answer
  }

  /** Resolves at once, or in the next turn if the present one has lasted too long. */
  async pause(): Promise<void> {
    if (this.#storeWaits) return
    this.#now()
    if (performance.now() - this.#began >= TIME_SLICE) await new Promise<void>(resolve => setImmediate(resolve))
  }

  /** Returns the number of this turn, which counts as started at the first call. */
  #now(): number {
    if (this.#isWatched) return this.#turn
    this.#isWatched = true
    this.#began = performance.now()
    // Runs after all microtasks; an immediate could run after that of a commit that the store waits for.
    process.nextTick(() => {
      this.#isWatched = false
      this.#turn++
    })
    return this.#turn
  }
}
