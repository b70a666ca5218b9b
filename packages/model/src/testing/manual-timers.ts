import type { Timers } from '../sync/timers.js'

interface PendingTimer {
  readonly at: number
  readonly run: () => void
}

/** Timers that a test moves. */
export class ManualTimers implements Timers {
  readonly #waiting = new Set<PendingTimer>()
  #now = 0
  #count = 0

  get now(): number {
    return this.#now
  }

  /** How many were ever set. */
  get count(): number {
    return this.#count
  }

  /** How long until each is due, the next one first. */
  get waits(): readonly number[] {
    return [...this.#waiting].map(({ at }) => at - this.#now).sort((one, other) => one - other)
  }

  set(run: () => void, milliseconds: number): () => void {
    const waiting = { at: this.#now + milliseconds, run }
    this.#waiting.add(waiting)
    this.#count++
    return () => void this.#waiting.delete(waiting)
  }

  /** Moves the time, and runs what becomes due on the way in its order. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      const [next] = [...this.#waiting].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
      if (!next) break
      this.#waiting.delete(next)
      this.#now = next.at
      next.run()
    }
    this.#now = end
  }
}
