/** A signal made for whoever asks for it: most functions of sources never do, and to make one takes longer than many of them. */
export class EndSignal {
  readonly #stopping: AbortSignal
  #ended: AbortController | undefined
  #signal: AbortSignal | undefined
  #isOver = false

  /** `stopping` ends it too. */
  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
  }

  get signal(): AbortSignal {
    if (!this.#signal) {
      this.#ended = new AbortController()
      this.#signal = AbortSignal.any([this.#ended.signal, this.#stopping])
      if (this.#isOver) this.#ended.abort()
    }
    return this.#signal
  }

  end(): void {
    this.#isOver = true
    this.#ended?.abort()
  }
}
