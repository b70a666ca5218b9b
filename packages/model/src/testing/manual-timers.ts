import type { Timers } from '../platform/timers.js'

interface PendingTimer {
  readonly at: number
  readonly run: () => void
}

/** Timers whose time a test advances. */
export class ManualTimers implements Timers {
  readonly #waiting = new Set<PendingTimer>()
  #now = 0
  #count = 0

  get now(): number {
    return this.#now
  }

  /** Number of timers that were ever set. */
  get count(): number {
    return this.#count
  }

  /** Milliseconds until each timer is due, in ascending order. */
  get waits(): readonly number[] {
    return [...this.#waiting].map(({ at }) => at - this.#now).sort((one, other) => one - other)
  }

  set(run: () => void, milliseconds: number): () => void {
    const waiting = { at: this.#now + milliseconds, run }
    this.#waiting.add(waiting)
    this.#count++
    return () => void this.#waiting.delete(waiting)
  }

  /** Advances the time and runs the timers that become due, in order. */
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
