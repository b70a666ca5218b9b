import type { Source } from '@godwit/source'

const MAX_CONCURRENCY = 1000

/** Chooses how many calls of a source to start together, from how its backend answered the last ones. */
export class CallConcurrency {
  /** Per backend, the number of consecutive calls that it answered within the same turn of the event loop. */
  readonly #answeredInTurn = new WeakMap<Source['methods'], number>()

  /** How many calls to start together, at least `least`. A synchronous source cannot overlap its own calls; started together, they share commits. */
  of({ methods }: Source, least: number): number {
    return Math.max(least, Math.min(MAX_CONCURRENCY, this.#answeredInTurn.get(methods) ?? 0))
  }

  /** Resolves with the result of a call, and records whether it arrived in the same turn. */
  async observe<T>({ methods }: Source, call: Promise<T>): Promise<T> {
    let isLater = false
    const later = setImmediate(() => {
      isLater = true
    })
    const result = await call
    clearImmediate(later)
    this.#answeredInTurn.set(methods, isLater ? 0 : (this.#answeredInTurn.get(methods) ?? 0) + 1)
    return result
  }
}
