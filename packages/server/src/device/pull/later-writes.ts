type Write = () => Promise<unknown>

/**
 * Writes that wait a little for others, since each separate commit waits for the disk; of several with one key, only the last is written. A server
 * that stops drops them.
 */
export class LaterWrites {
  readonly #delay: number
  readonly #stopping: AbortSignal
  #waiting: Map<string, Write> | undefined

  constructor(delay: number, stopping: AbortSignal) {
    this.#delay = delay
    this.#stopping = stopping
  }

  add(key: string, write: Write): void {
    if (this.#waiting) return void this.#waiting.set(key, write)
    const waiting = new Map([[key, write]])
    this.#waiting = waiting
    setTimeout(() => {
      this.#waiting = undefined
      if (!this.#stopping.aborted) for (const one of waiting.values()) void one()
    }, this.#delay).unref()
  }
}
