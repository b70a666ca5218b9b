/** The longest delay of a timer in milliseconds; `setTimeout` fires at once for a longer one. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Timers that keep the process alive only until the server stops. All share one listener, since thousands of calls may be in progress. */
export class ServerTimers {
  readonly #stopping: AbortSignal
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
    const release = (): void => {
      for (const timer of this.#timers) timer.unref()
    }
    stopping.addEventListener('abort', release, { once: true })
  }

  /** Starts a timer and returns a function that clears it. */
  start(run: () => void, milliseconds: number): () => void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      run()
    }, milliseconds)
    this.#timers.add(timer)
    if (this.#stopping.aborted) timer.unref()
    return () => {
      clearTimeout(timer)
      this.#timers.delete(timer)
    }
  }

  /** Resolves when the work is done, or after the given milliseconds. The work itself continues. */
  async within(work: Promise<void>, milliseconds: number): Promise<void> {
    let clearTimer: (() => void) | undefined
    const over = new Promise<void>(resolve => {
      clearTimer = this.start(resolve, milliseconds)
    })
    await Promise.race([work, over]).finally(clearTimer)
  }
}
