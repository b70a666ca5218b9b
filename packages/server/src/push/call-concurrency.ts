import type { Source } from '../sources/source.js'

const MAX_CONCURRENCY = 1000

/** Decides how many calls of a source to start together, by how its backend answered the last ones. */
export class CallConcurrency {
  /** Of each backend: how many calls in a row it answered in the turn of the event loop in which they were made. */
  readonly #answeredInTurn = new WeakMap<Source['methods'], number>()

  /** How many calls to start together, at least `least`. A synchronous source cannot overlap its own calls; started together, they share commits. */
  of({ methods }: Source, least: number): number {
    return Math.max(least, Math.min(MAX_CONCURRENCY, this.#answeredInTurn.get(methods) ?? 0))
  }

  /** Resolves with the result of a call, and notes whether it came in the same turn. */
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
