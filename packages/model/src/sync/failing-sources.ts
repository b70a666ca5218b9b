import { BackOff } from './back-off.js'
import type { Timers } from './timers.js'

export interface FailingSourcesParts {
  readonly timers: Timers
  /** A share from 0 to 1. */
  readonly random: () => number
  /** The wait of a source is over: it is to be tried again. */
  readonly over: (source: string) => void
}

interface FailingSource {
  readonly backOff: BackOff
  isWaiting: boolean
  cancel: () => void
}

/** Sources whose backends fail, each with a separate back-off. */
export class FailingSources {
  readonly #parts: FailingSourcesParts
  readonly #troubles = new Map<string, FailingSource>()

  constructor(parts: FailingSourcesParts) {
    this.#parts = parts
  }

  /** Those that wait. */
  get sources(): ReadonlySet<string> {
    return new Set([...this.#troubles].flatMap(([source, { isWaiting }]) => (isWaiting ? [source] : [])))
  }

  has(source: string): boolean {
    return this.#troubles.get(source)?.isWaiting === true
  }

  /** `retryAfter`: what was asked for, in seconds. */
  failed(source: string, retryAfter?: number): void {
    const { timers, random, over } = this.#parts
    const known = this.#troubles.get(source)
    const trouble = known ?? { backOff: new BackOff(random), isWaiting: true, cancel: () => {} }
    this.#troubles.set(source, trouble)
    trouble.cancel()
    trouble.isWaiting = true
    trouble.cancel = timers.set(() => {
      trouble.isWaiting = false
      over(source)
    }, trouble.backOff.failed(retryAfter))
  }

  /** The source is well. */
  over(source: string): void {
    this.#troubles.get(source)?.cancel()
    this.#troubles.delete(source)
  }

  forget(): void {
    for (const { cancel } of this.#troubles.values()) cancel()
    this.#troubles.clear()
  }
}
