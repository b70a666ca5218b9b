/** An abort signal that is created when it is first read, since most source methods never read it and creating one may take longer than the call. */
export class EndSignal {
  readonly #stopping: AbortSignal
  #controller: AbortController | undefined
  #isOver = false

  /** `stopping` also aborts the signal, until `release`. */
  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isOver || this.#stopping.aborted) this.#controller.abort()
      else this.#stopping.addEventListener('abort', this.end)
    }
    return this.#controller.signal
  }

  readonly end = (): void => {
    this.#isOver = true
    this.release()
    this.#controller?.abort()
  }

  /** Removes the listener from `stopping`, which outlives every call. */
  release(): void {
    this.#stopping.removeEventListener('abort', this.end)
  }
}
