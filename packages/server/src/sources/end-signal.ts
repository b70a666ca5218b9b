/** An abort signal that is created when it is first read: most functions of sources never read it, and creating one takes longer than many of them. */
export class EndSignal {
  readonly #stopping: AbortSignal
  #controller: AbortController | undefined
  #isOver = false

  /** `stopping` ends it too, until it is released. */
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

  /** Lets go of `stopping`, which outlives every call. */
  release(): void {
    this.#stopping.removeEventListener('abort', this.end)
  }
}
