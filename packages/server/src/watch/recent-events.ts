import type { ReportedEvent } from './reporter.js'

/** The last events, for streams that go on where they broke off. */
export class RecentEvents {
  readonly #most: number
  #events: ReportedEvent[] = []

  constructor(most: number) {
    this.#most = most
  }

  add(event: ReportedEvent): void {
    this.#events.push(event)
    // Cut now and then, not at each event: that would move all of them.
    if (this.#events.length >= this.#most * 2) this.#events = this.#events.slice(-this.#most)
  }

  /** What came after an event. Undefined: it is forgotten, or was never heard of. */
  after(id: string): readonly ReportedEvent[] | undefined {
    const at = this.#events.findLastIndex(event => event.id === id)
    return at < 0 ? undefined : this.#events.slice(at + 1)
  }

  clear(): void {
    this.#events = []
  }
}
