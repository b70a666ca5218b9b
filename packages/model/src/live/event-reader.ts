type Result<Event> = IteratorResult<Event, void>

const OVER = { done: true, value: undefined } as const

/** The event queue of one reader. Unlike a generator, it ends immediately when the reader stops, even while it is waiting. */
export class EventReader<Event> implements AsyncGenerator<Event, void, void> {
  readonly #unread: Event[] = []
  readonly #waiting: ((result: Result<Event>) => void)[] = []
  readonly #left: () => void
  #isOver = false

  /** `left` is called when the reader stops reading. */
  constructor(left: () => void) {
    this.#left = left
  }

  push(event: Event): void {
    if (this.#isOver) return
    const reader = this.#waiting.shift()
    if (reader) reader({ done: false, value: event })
    else this.#unread.push(event)
  }

  /** Ends the stream. Queued events can still be read. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#left()
    for (const reader of this.#waiting.splice(0)) reader(OVER)
  }

  next(): Promise<Result<Event>> {
    const event = this.#unread.shift()
    if (event) return Promise.resolve({ done: false, value: event })
    if (this.#isOver) return Promise.resolve(OVER)
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  return(): Promise<Result<Event>> {
    this.#unread.length = 0
    this.end()
    return Promise.resolve(OVER)
  }

  throw(error: unknown): Promise<Result<Event>> {
    void this.return()
    return Promise.reject(error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
