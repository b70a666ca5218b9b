interface Timer {
  readonly run: () => void
  readonly every: number | undefined
  at: number
}

const START_TIME = 1_700_000_000_000

const TIMEOUT_ERROR = new DOMException('The time is over.', 'TimeoutError')

/** Replaces `AbortSignal.any`, whose signals are retained while they have listeners: a hanging call would retain its whole world. */
function anySignal(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  }
  return controller.signal
}

/**
 * A clock that advances only on request. It replaces the timers of the process, so that a history controls timeouts, sweeps and back-offs, and
 * waiting takes no real time.
 */
export class VirtualTime {
  #now = START_TIME
  #last = 0
  readonly #timers = new Map<number, Timer>()

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#now

  /** Removes all timers and resets the clock, between two worlds. */
  restart(): void {
    this.#timers.clear()
    this.#now = START_TIME
  }

  /** Advances to the next timer and runs it. Returns false if no timer is due until `until`. */
  step(until = Number.POSITIVE_INFINITY): boolean {
    const next = this.#next()
    if (!next || next[1].at > until) return false
    const [id, timer] = next
    this.#now = Math.max(this.#now, timer.at)
    if (timer.every === undefined) this.#timers.delete(id)
    else timer.at = this.#now + timer.every
    timer.run()
    return true
  }

  /** Advances the clock without running timers; due ones run with the next steps. */
  pass(milliseconds: number): void {
    this.#now += milliseconds
  }

  /** Replaces the timers of this process. */
  install(): void {
    const set =
      (every: boolean) =>
      (run: (...given: unknown[]) => void, wait = 0, ...given: unknown[]) =>
        this.#set(() => run(...given), Math.max(1, wait), every)
    const clear = (timer: unknown) => void this.#timers.delete(Number(timer))
    Object.assign(globalThis, {
      setTimeout: set(false),
      setInterval: set(true),
      clearTimeout: clear,
      clearInterval: clear,
    })
    performance.now = () => this.#now
    AbortSignal.timeout = milliseconds => {
      const controller = new AbortController()
      this.#set(() => controller.abort(TIMEOUT_ERROR), milliseconds, false)
      return controller.signal
    }
    AbortSignal.any = anySignal
  }

  #set(run: () => void, wait: number, every: boolean) {
    const id = ++this.#last
    this.#timers.set(id, { run, at: this.#now + wait, every: every ? wait : undefined })
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => false, [Symbol.toPrimitive]: () => id }
    return handle
  }

  #next(): readonly [number, Timer] | undefined {
    let next: readonly [number, Timer] | undefined
    for (const entry of this.#timers) if (!next || entry[1].at < next[1].at) next = entry
    return next
  }
}
