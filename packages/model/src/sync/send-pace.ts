import type { Timers } from './timers.js'

/** Milliseconds from the first write after quiet to its request, so that what is saved together leaves together. */
export const QUIET = 20
/** Milliseconds between two requests of a source. */
export const GAP = 1000
/** Requests in a minute from which on a source is busy, and the milliseconds between two of a busy one. */
export const BUSY_AFTER = 20
export const BUSY_GAP = 5000
/** The longest wait of what is written while the app is called back. */
export const LONGEST_ECHO = 60_000
const FIRST_ECHO = 1000
const MINUTE = 60_000
const CALM = 2 * LONGEST_ECHO

export interface SendPaceParts {
  readonly timers: Timers
  /** Begins a request. `later`: it cannot be now, and `resume` is called when it can. */
  readonly begin: () => 'begun' | 'later' | 'nothing'
  /** Called when there are too many requests and they start to leave more slowly. */
  readonly busy: () => void
}

/**
 * When the writes of one source leave: the first after quiet almost at once, then at most one request a second. What is written while the app is
 * called back goes with the next request, else after 1, 2, 4 … 60 s: an answer to an answer would otherwise go round for ever.
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

  /** Something is to be sent. `isEcho`: it was written while the app was called back. */
  wrote(isEcho: boolean): void {
    if (isEcho) this.#becomeCalmLater()
    else this.#echoes = 0
    if (this.#isReady || this.#waits === 'own' || (isEcho && this.#waits === 'echo')) return
    this.#cancelWait()
    this.#waits = isEcho ? 'echo' : 'own'
    const wait = isEcho ? Math.min(LONGEST_ECHO, FIRST_ECHO * 2 ** this.#echoes) : QUIET
    this.#cancelWait = this.#parts.timers.set(() => {
      if (isEcho) this.#echoes++
      this.#waits = 'nothing'
      this.#isReady = true
      this.resume()
    }, wait)
  }

  /** Begins what could not begin before. */
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
      this.#isBusy ? BUSY_GAP : GAP,
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
    }, MINUTE)
    this.#recent.add(cancel)
    if (this.#isBusy || this.#recent.size < BUSY_AFTER) return
    this.#isBusy = true
    this.#parts.busy()
  }

  #becomeCalmLater(): void {
    this.#cancelCalm()
    this.#cancelCalm = this.#parts.timers.set(() => {
      this.#echoes = 0
    }, CALM)
  }
}
