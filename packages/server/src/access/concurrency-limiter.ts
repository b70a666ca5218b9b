interface QueuedTask {
  readonly go: () => void
  next: QueuedTask | undefined
}

/** Runs a limited number of tasks at once; the others wait in a queue of any length. */
export class ConcurrencyLimiter {
  readonly #atOnce: number
  #first: QueuedTask | undefined
  #last: QueuedTask | undefined
  #waiting = 0
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++
    else await new Promise<void>(resolve => this.#enqueue({ go: resolve, next: undefined }))
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #enqueue(place: QueuedTask): void {
    if (this.#last) this.#last.next = place
    else this.#first = place
    this.#last = place
    this.#waiting++
  }

  /** The next one in line takes the turn over. */
  #release(): void {
    const next = this.#first
    if (!next) return void this.#running--
    this.#first = next.next
    if (!this.#first) this.#last = undefined
    this.#waiting--
    next.go()
  }
}
