import type { Timers } from '../platform/timers.js'

/** Milliseconds from the first write after a pause to its request, so that writes close together share one. */
export const QUIET_MS = 20
/** Milliseconds between two requests of a source. */
export const GAP_MS = 1000
/** Requests in a minute above which a source is busy, and the milliseconds between two requests of a busy one. */
export const BUSY_AFTER = 20
export const BUSY_GAP_MS = 5000
/** Longest wait of writes made within callbacks. */
export const MAX_ECHO_MS = 60_000
const FIRST_ECHO_MS = 1000
const MINUTE_MS = 60_000
const CALM_MS = 2 * MAX_ECHO_MS

export interface SendPaceParts {
  readonly timers: Timers
  /** Starts a request. `later`: not possible now, `resume` is called when it is. */
  readonly begin: () => 'begun' | 'later' | 'nothing'
  /** Called when there are too many requests and they start to be sent more slowly. */
  readonly busy: () => void
}

/**
 * Paces the requests of one source: after a pause almost at once, then at most one a second. Writes made within callbacks go with the next request,
 * or after 1, 2, 4 … 60 s, so that callbacks cannot start an endless loop.
 */
export class SendPace {
  readonly #parts: SendPaceParts
  readonly #recent = new Set<() => void>()
  #waits: 'nothing' | 'own' | 'echo' = 'nothing'
  #isReady = false
  #isBusy = false
  #echoes = 0
  #cancelWait = (): void => {}
  #cancelGap: (() => void) | undefined
  #cancelCalm = (): void => {}

  constructor(parts: SendPaceParts) {
    this.#parts = parts
  }

  /** There is something to send. `isEcho`: it was written within a callback. */
  wrote(isEcho: boolean): void {
    if (isEcho) this.#becomeCalmLater()
    else this.#echoes = 0
    if (this.#isReady || this.#waits === 'own' || (isEcho && this.#waits === 'echo')) return
    this.#cancelWait()
    this.#waits = isEcho ? 'echo' : 'own'
    const wait = isEcho ? Math.min(MAX_ECHO_MS, FIRST_ECHO_MS * 2 ** this.#echoes) : QUIET_MS
    this.#cancelWait = this.#parts.timers.set(() => {
      if (isEcho) this.#echoes++
      this.#waits = 'nothing'
      this.#isReady = true
      this.resume()
    }, wait)
  }

  /** Starts a postponed request. */
  resume(): void {
    if (!this.#isReady || this.#cancelGap) return
    const begun = this.#parts.begin()
    if (begun === 'later') return
    this.#isReady = false
    if (begun === 'nothing') return
    this.#count()
    this.#cancelGap = this.#parts.timers.set(
      () => {
        this.#cancelGap = undefined
        this.resume()
      },
      this.#isBusy ? BUSY_GAP_MS : GAP_MS,
    )
  }

  stop(): void {
    for (const cancel of this.#recent) cancel()
    this.#recent.clear()
    this.#cancelWait()
    this.#cancelGap?.()
    this.#cancelCalm()
    this.#cancelGap = undefined
    this.#waits = 'nothing'
    this.#isReady = false
    this.#isBusy = false
    this.#echoes = 0
  }

  /** Counts a request for a minute. */
  #count(): void {
    const cancel = this.#parts.timers.set(() => {
      this.#recent.delete(cancel)
      if (this.#recent.size < BUSY_AFTER) this.#isBusy = false
    }, MINUTE_MS)
    this.#recent.add(cancel)
    if (this.#isBusy || this.#recent.size < BUSY_AFTER) return
    this.#isBusy = true
    this.#parts.busy()
  }

  #becomeCalmLater(): void {
    this.#cancelCalm()
    this.#cancelCalm = this.#parts.timers.set(() => {
      this.#echoes = 0
    }, CALM_MS)
  }
}
