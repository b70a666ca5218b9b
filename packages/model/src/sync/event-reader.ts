import type { SdkEvent } from './events.js'

type Result = IteratorResult<SdkEvent, void>

const OVER: Result = { done: true, value: undefined }

/** Events for one reader, in order. Unlike a generator it ends at once when its reader leaves, also while that waits for the next event. */
export class EventReader implements AsyncGenerator<SdkEvent, void, void> {
  readonly #unread: SdkEvent[] = []
  readonly #waiting: ((result: Result) => void)[] = []
  readonly #left: () => void
  #isOver = false

  /** `left`: no more events are wanted. */
  constructor(left: () => void) {
    this.#left = left
  }

  push(event: SdkEvent): void {
    if (this.#isOver) return
    const reader = this.#waiting.shift()
    if (reader) reader({ done: false, value: event })
    else this.#unread.push(event)
  }

  /** There will be no more: what is unread can still be read. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#left()
    for (const reader of this.#waiting.splice(0)) reader(OVER)
  }

  next(): Promise<Result> {
    const event = this.#unread.shift()
    if (event) return Promise.resolve({ done: false, value: event })
    if (this.#isOver) return Promise.resolve(OVER)
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  return(): Promise<Result> {
    this.#unread.length = 0
    this.end()
    return Promise.resolve(OVER)
  }

  throw(error: unknown): Promise<Result> {
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
