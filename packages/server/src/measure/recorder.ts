import { BUCKET_SECONDS, type Point } from '@godwit/store'

interface Tally {
  count: number
  sum: number
  min: number
  max: number
}

/** How many points wait for the next flush at most when the store does not take them. */
const MAX_WAITING = 10_000

/** Counts and durations by key and minute, in memory, until somebody takes them. To record is a look into a map and four numbers. */
export class Recorder {
  readonly #clock: () => number
  #minute = 0
  #tallies = new Map<string, Tally>()
  #unwritten: Point[] = []

  constructor(clock: () => number) {
    this.#clock = clock
  }

  readonly record = (key: string, seconds: number): void => {
    const minute = Math.floor(this.#clock() / (1000 * BUCKET_SECONDS))
    if (minute !== this.#minute) this.#startMinute(minute)
    const tally = this.#tallies.get(key)
    if (tally === undefined) {
      this.#tallies.set(key, { count: 1, sum: seconds, min: seconds, max: seconds })
      return
    }
    tally.count++
    tally.sum += seconds
    if (seconds < tally.min) tally.min = seconds
    if (seconds > tally.max) tally.max = seconds
  }

  /** What came together since the last time; the minute that runs goes on empty. */
  take(): readonly Point[] {
    this.#startMinute(this.#minute)
    const taken = this.#unwritten
    this.#unwritten = []
    return taken
  }

  /** Puts back what could not be kept. */
  giveBack(points: readonly Point[]): void {
    this.#unwritten = [...points, ...this.#unwritten].slice(-MAX_WAITING)
  }

  #startMinute(minute: number): void {
    for (const [key, tally] of this.#tallies)
      this.#unwritten.push({ key, time: this.#minute * BUCKET_SECONDS, ...tally })
    this.#tallies.clear()
    this.#minute = minute
  }
}
