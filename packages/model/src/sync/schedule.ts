import { BackOff } from './back-off.js'
import type { Timers } from './timers.js'

export interface ScheduleParts {
  readonly timers: Timers
  /** A share from 0 to 1. */
  readonly random: () => number
  /** Syncs these sources, or all; whoever does it says how it ended. */
  readonly run: (sources?: readonly string[]) => void
}

/** How a run ended: well, cut short, or with something that may pass. */
export type RunEnd =
  | { readonly kind: 'ok' | 'stopped' }
  | {
      readonly kind: 'failed'
      /** What the server asked for, in seconds. */
      readonly retryAfter?: number | undefined
    }

/** When a device syncs by itself: every so many seconds; after a failure when the back-off says so; soon, when the server hints that something changed. */
export class Schedule {
  readonly #parts: ScheduleParts
  readonly #backOff: BackOff
  #seconds: number
  #isOn = false
  #cancelNext = (): void => {}
  #cancelHinted = (): void => {}
  /** Undefined: all. */
  #hinted: Set<string> | undefined = new Set()

  constructor(parts: ScheduleParts, seconds: number) {
    this.#parts = parts
    this.#backOff = new BackOff(parts.random)
    this.#seconds = seconds
  }

  get seconds(): number {
    return this.#seconds
  }

  get isOn(): boolean {
    return this.#isOn && this.#seconds > 0
  }

  /** 0: never. */
  every(seconds: number): void {
    this.#seconds = seconds
    if (this.#isOn) this.start()
  }

  start(): void {
    this.stop()
    this.#isOn = true
    this.#wait(this.#seconds * 1000)
  }

  stop(): void {
    this.#isOn = false
    this.#backOff.succeeded()
    this.#cancelNext()
    this.#forgetHints()
  }

  /** A run is over, of all sources or of some. Any failure counts; only a run of all makes the next one wait its whole interval. */
  ended(end: RunEnd, isAll: boolean): void {
    if (end.kind === 'failed') {
      this.#forgetHints()
      this.#wait(this.#backOff.failed(end.retryAfter))
      return
    }
    const wasFailing = this.#backOff.failures > 0
    if (end.kind === 'ok') this.#backOff.succeeded()
    if (isAll || wasFailing) this.#wait(this.#seconds * 1000)
  }

  /** Something may have changed there. Hints that come meanwhile join; while the back-off waits they are dropped, as all is synced at its end. */
  soon(sources: readonly string[] | undefined, withinMilliseconds: number): void {
    if (!this.isOn || this.#backOff.failures > 0) return
    const isFirst = this.#hinted?.size === 0
    if (sources === undefined) this.#hinted = undefined
    else for (const source of sources) this.#hinted?.add(source)
    if (!isFirst || this.#hinted?.size === 0) return
    const { timers, random, run } = this.#parts
    this.#cancelHinted = timers.set(() => {
      const hinted = this.#hinted && [...this.#hinted]
      this.#forgetHints()
      run(hinted)
    }, random() * withinMilliseconds)
  }

  #forgetHints(): void {
    this.#cancelHinted()
    this.#hinted = new Set()
  }

  #wait(milliseconds: number): void {
    this.#cancelNext()
    if (this.isOn) this.#cancelNext = this.#parts.timers.set(() => this.#parts.run(), milliseconds)
  }
}
