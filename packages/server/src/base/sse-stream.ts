/** A comment, which event sources ignore; it keeps proxies from closing the connection. */
export const HEARTBEAT = ':\n\n'

const DONE: IteratorResult<string> = { done: true, value: undefined }

/** Returns the text of a server-sent event. JSON contains no line breaks, so one data line holds it. */
export const sseText = (name: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * A stream of server-sent events that a response iterates. It joins its hub at the first read, sleeps until it is woken, and is dropped if its reader
 * has not read the last heartbeat when the next one is due. What it queues, and when it checks its session, is up to the subclass.
 */
export abstract class SseStream implements AsyncIterableIterator<string> {
  readonly #abortController = new AbortController()
  #beat = false
  #hasJoined = false
  #hasEnded = false
  #isWoken = false
  #wake: (() => void) | undefined

  /** Aborted when the reader is dropped in the middle of a response. */
  get cut(): AbortSignal {
    return this.#abortController.signal
  }

  protected get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** True while a heartbeat is unread. */
  protected get hasHeartbeat(): boolean {
    return this.#beat
  }

  /** Joins the hub. Resolves when events are received. */
  protected abstract join(): Promise<void>
  protected abstract leave(): void
  /** Returns the text to send now, or '' to sleep until the stream is woken. */
  protected abstract take(): Promise<string>

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<string>> {
    if (!this.#hasJoined) {
      this.#hasJoined = true
      await this.join()
    }
    for (;;) {
      this.#isWoken = false
      const text = await this.take()
      if (text !== '') return { done: false, value: text }
      // What was queued during `take`, such as a last event, is taken first.
      if (this.#isWoken) continue
      if (this.#hasEnded) return DONE
      await this.#untilWoken()
    }
  }

  async return(): Promise<IteratorResult<string>> {
    this.close()
    return DONE
  }

  /** Sends a heartbeat, or drops a reader that has not read the last one. */
  beat(): void {
    if (this.#beat) return void this.giveUp()
    this.#beat = true
    this.wake()
  }

  /** Ends the stream after the queued events. */
  close(): void {
    this.#hasEnded = true
    this.leave()
    this.wake()
  }

  /** Ends the stream at once, because the connection is lost or its reader too slow. */
  giveUp(): void {
    this.close()
    this.abort()
  }

  protected abort(): void {
    this.#abortController.abort()
  }

  /** Returns the text of an unread heartbeat, which is read by this; '' without one. */
  protected takeHeartbeat(): string {
    const text = this.#beat ? HEARTBEAT : ''
    this.#beat = false
    return text
  }

  protected wake(): void {
    this.#isWoken = true
    this.#wake?.()
    this.#wake = undefined
  }

  #untilWoken(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
    })
  }
}
