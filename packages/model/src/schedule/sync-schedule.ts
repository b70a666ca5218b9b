import type { Hint } from '../events/hint.js'
import { BackOff, FIRST_BACK_OFF_MS } from '../http/back-off.js'
import type { Timers } from '../platform/timers.js'
import { FailingSources } from './failing-sources.js'
import { Hints } from './hints.js'
import type { SyncEnd } from './sync-end.js'

/** The sources of an automatic run: all that do not wait for their backend, or some with their hints. */
export type SyncScope =
  | { readonly kind: 'all'; readonly without: ReadonlySet<string> }
  | { readonly kind: 'some'; readonly sources: ReadonlyMap<string, Hint | undefined> }

export interface ScheduleParts {
  readonly timers: Timers
  /** A random number from 0 to 1. */
  readonly random: () => number
  /** Starts a run. Its end is reported to `ended`. */
  readonly run: (scope: SyncScope) => void
}

/**
 * When a device syncs by itself: immediately at the start, then at the poll interval; after a failure when the back-off ends; soon after the server
 * announces a change. A source whose backend fails has a separate back-off.
 */
export class Schedule {
  readonly #parts: ScheduleParts
  readonly #backOff: BackOff
  readonly #troubles: FailingSources
  readonly #hints: Hints
  #seconds: number
  #isOn = false
  #isOpening = false
  #isOffline = false
  /** True if a hint was dropped or a run failed since the last run of all began, which may have missed something. */
  #isLacking = false
  #cancelNext = (): void => {}

  constructor(parts: ScheduleParts, seconds: number) {
    const { timers, random, run } = parts
    this.#parts = parts
    this.#backOff = new BackOff(random)
    this.#seconds = seconds
    const some = (sources: ReadonlyMap<string, Hint | undefined>): void => run({ kind: 'some', sources })
    this.#hints = new Hints({ timers, random, run: some })
    this.#troubles = new FailingSources({ timers, random, over: source => some(new Map([[source, undefined]])) })
  }

  get seconds(): number {
    return this.#seconds
  }

  get isOn(): boolean {
    return this.#isOn && this.#seconds > 0
  }

  /** Whether the first run has not started yet. */
  get isOpening(): boolean {
    return this.#isOpening && this.isOn
  }

  /** Whether a source has to wait because the server or its backend fails. */
  mustWait(source: string): boolean {
    return this.#backOff.failures > 0 || this.#troubles.has(source)
  }

  /** Sets the interval; 0 means never. */
  every(seconds: number): void {
    const wasOff = !this.isOn
    this.#seconds = seconds
    if (!this.#isOn) return
    if (wasOff || this.#isOpening) this.start()
    else if (seconds > 0) this.#wait(seconds * 1000)
    else this.#forget()
  }

  /** Starts the first run in a later task. */
  start(): void {
    this.stop()
    this.#isOn = true
    this.#isOpening = true
    this.#wait(0)
  }

  stop(): void {
    this.#isOn = false
    this.#forget()
  }

  /** A sync of all was requested: it replaces the first or next run. */
  taken(): void {
    this.#isOpening = false
    this.#isLacking = false
    this.#cancelNext()
  }

  /** A run ended. Only a complete run of all sources restarts the interval. */
  ended({ isAll, isStopped = false, server, failed = new Map(), done = [] }: SyncEnd): void {
    if (server !== undefined) {
      this.#hints.forget()
      this.#isOffline = server.isOffline
      this.#isLacking = true
      this.#wait(this.#backOff.failed(server.retryAfter))
      return
    }
    const wasFailing = this.#backOff.failures > 0
    if (!isStopped) this.#backOff.succeeded()
    for (const source of done) this.#troubles.over(source)
    if (this.isOn) for (const [source, retryAfter] of failed) this.#troubles.failed(source, retryAfter)
    const isWhole = isAll && !(wasFailing && this.#isLacking)
    if (isWhole || (wasFailing && isStopped)) this.#wait(this.#seconds * 1000)
    // Hints were dropped during the back-off because all was to be synced at its end, which is now.
    else if (wasFailing) this.#wait(Math.floor(this.#parts.random() * FIRST_BACK_OFF_MS))
  }

  /** Schedules sources that may have changed. Hints are dropped during a back-off, since all is synced at its end, and for sources that back off alone. */
  soon(hints: ReadonlyMap<string, Hint | undefined>, withinMilliseconds: number): void {
    if (!this.isOn) return
    if (this.#backOff.failures > 0) {
      this.#isLacking ||= hints.size > 0
      return
    }
    this.#hints.add(new Map([...hints].filter(([source]) => !this.#troubles.has(source))), withinMilliseconds)
  }

  /** The server is reachable again; waits that it requested stay. Returns true if the device was offline. */
  reached(): boolean {
    if (!this.isOn || !this.#isOffline || this.#backOff.failures === 0) return false
    this.#backOff.succeeded()
    this.#wait(this.#seconds * 1000)
    return true
  }

  #forget(): void {
    this.#isOpening = false
    this.#backOff.succeeded()
    this.#troubles.forget()
    this.#hints.forget()
    this.#cancelNext()
  }

  #wait(milliseconds: number): void {
    this.#cancelNext()
    if (!this.isOn) return
    this.#cancelNext = this.#parts.timers.set(() => {
      this.#parts.run({ kind: 'all', without: this.#troubles.sources })
    }, milliseconds)
  }
}
