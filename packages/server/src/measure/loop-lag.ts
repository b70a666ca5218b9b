import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds between looks: an idle loop is this late, and no later. */
const RESOLUTION = 20

export interface Lag {
  /** Seconds. */
  readonly median: number
  readonly p99: number
  readonly max: number
}

/** How late the event loop was, from one asking to the next. It begins to look when it is first asked. */
export class LoopLag {
  #delay: IntervalHistogram | undefined

  read(): Lag {
    if (!this.#delay) {
      this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION })
      this.#delay.enable()
      return { median: 0, p99: 0, max: 0 }
    }
    const delay = this.#delay
    const lag = { median: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) }
    delay.reset()
    return lag
  }

  stop(): void {
    this.#delay?.disable()
  }
}

const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000)
