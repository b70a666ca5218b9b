interface QueuedTask {
  readonly go: () => void
  next: QueuedTask | undefined
}

/** Runs a limited number of tasks at once; further tasks wait in an unbounded queue. */
export class ConcurrencyLimiter {
  readonly #atOnce: number
  #first: QueuedTask | undefined
  #last: QueuedTask | undefined
  #waiting = 0
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** The number of waiting tasks. */
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

  /** Hands the slot to the next task in the queue, or frees it. */
  #release(): void {
    const next = this.#first
    if (!next) return void this.#running--
    this.#first = next.next
    if (!this.#first) this.#last = undefined
    this.#waiting--
    next.go()
  }
}
