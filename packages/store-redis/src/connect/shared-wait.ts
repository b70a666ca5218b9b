import { noAnswer } from '../answer-in-time.js'

interface Waiter<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Waits of many callers, each with a timeout, for one result that may take hours. Racing the result in each call would leave a handler on it for each
 * until it settles.
 */
export class SharedWait<Result> {
  readonly #waiting = new Set<Waiter<Result>>()
  #result: Promise<Result> | undefined

  /** Resolves with the result, or rejects with `store_unavailable` after the given milliseconds. */
  wait(result: Promise<Result>, milliseconds: number): Promise<Result> {
    this.#listen(result)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(noAnswer(milliseconds))
      }, milliseconds)
      const waiting: Waiter<Result> = {
        resolve: value => {
          clearTimeout(timer)
          resolve(value)
        },
        reject: error => {
          clearTimeout(timer)
          reject(error)
        },
      }
      this.#waiting.add(waiting)
    })
  }

  /** The number of waiting callers. */
  get size(): number {
    return this.#waiting.size
  }

  #listen(result: Promise<Result>): void {
    if (this.#result === result) return
    this.#result = result
    const all = (): readonly Waiter<Result>[] => {
      const waiting = [...this.#waiting]
      this.#waiting.clear()
      this.#result = undefined
      return waiting
    }
    result.then(
      value => {
        for (const { resolve } of all()) resolve(value)
      },
      error => {
        for (const { reject } of all()) reject(error)
      },
    )
  }
}
