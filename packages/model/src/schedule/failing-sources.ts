import { BackOff } from '../http/back-off.js'
import type { Timers } from '../platform/timers.js'

export interface FailingSourcesParts {
  readonly timers: Timers
  /** A random number from 0 to 1. */
  readonly random: () => number
  /** Called when a source's wait is over and it should be tried again. */
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

  /** The waiting sources. */
  get sources(): ReadonlySet<string> {
    return new Set([...this.#troubles].flatMap(([source, { isWaiting }]) => (isWaiting ? [source] : [])))
  }

  has(source: string): boolean {
    return this.#troubles.get(source)?.isWaiting === true
  }

  /** `retryAfter`: the requested wait, in seconds. */
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

  /** The source works again. */
  over(source: string): void {
    this.#troubles.get(source)?.cancel()
    this.#troubles.delete(source)
  }

  forget(): void {
    for (const { cancel } of this.#troubles.values()) cancel()
    this.#troubles.clear()
  }
}
