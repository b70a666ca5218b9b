import { BackOff, FIRST_WAIT } from './back-off.js'
import { FailingSources } from './failing-sources.js'
import type { Hint } from './hint.js'
import { Hints } from './hints.js'
import type { SyncEnd } from './sync-end.js'
import type { Timers } from './timers.js'

/** What is to run by itself: all but what waits for its backend, or some sources, with what was told of them. */
export type SyncScope =
  | { readonly kind: 'all'; readonly without: ReadonlySet<string> }
  | { readonly kind: 'some'; readonly sources: ReadonlyMap<string, Hint | undefined> }

export interface ScheduleParts {
  readonly timers: Timers
  /** A share from 0 to 1. */
  readonly random: () => number
  /** Starts a run of what is wanted; its end is reported to `ended`. */
  readonly run: (scope: SyncScope) => void
}

/**
 * When a device syncs by itself: at once at the start, then at the poll interval; after a failure when the back-off ends; soon after the
 * server announces a change. A source whose backend fails has a separate back-off.
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
  /** Since the last run of all began something was told and dropped, or a run failed: that run may lack it. */
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

  /** The first run since it began is still to come. */
  get isOpening(): boolean {
    return this.#isOpening && this.isOn
  }

  /** Whether a source has to wait: the server fails, or its backend does. */
  mustWait(source: string): boolean {
    return this.#backOff.failures > 0 || this.#troubles.has(source)
  }

  /** 0: never. */
  every(seconds: number): void {
    const wasOff = !this.isOn
    this.#seconds = seconds
    if (!this.#isOn) return
    if (wasOff || this.#isOpening) this.start()
    else if (seconds > 0) this.#wait(seconds * 1000)
    else this.#forget()
  }

  /** The first run begins in a later task. */
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

  /** Somebody syncs all now: that is the first run, or the next. */
  taken(): void {
    this.#isOpening = false
    this.#isLacking = false
    this.#cancelNext()
  }

  /** A run is over, of all sources or of some. Only a run of all makes the next one wait its whole interval, where it lacks nothing. */
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
    // What was told during the back-off was dropped, as all was to be synced at its end: that is now.
    else if (wasFailing) this.#wait(Math.floor(this.#parts.random() * FIRST_WAIT))
  }

  /** Something may have changed there. While the back-off waits hints are dropped, as all is synced at its end; so are those of a source that waits alone. */
  soon(hints: ReadonlyMap<string, Hint | undefined>, withinMilliseconds: number): void {
    if (!this.isOn) return
    if (this.#backOff.failures > 0) {
      this.#isLacking ||= hints.size > 0
      return
    }
    this.#hints.add(new Map([...hints].filter(([source]) => !this.#troubles.has(source))), withinMilliseconds)
  }

  /** The server is there again. Waits that it asked for stay. True: the device was offline until now. */
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
