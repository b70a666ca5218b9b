/** Adds up the time between `start` and `stop`, and tells it once: at `end`. */
export class Stopwatch {
  readonly #tell: (seconds: number) => void
  #milliseconds = 0
  #since: number | undefined
  #ended = false

  constructor(tell: (seconds: number) => void) {
    this.#tell = tell
  }

  start(): void {
    this.#since ??= performance.now()
  }

  stop(): void {
    if (this.#since !== undefined) this.#milliseconds += performance.now() - this.#since
    this.#since = undefined
  }

  readonly end = (): void => {
    this.stop()
    if (this.#ended) return
    this.#ended = true
    this.#tell(this.#milliseconds / 1000)
  }
}
