import { BUCKET_SECONDS, type Point } from '@godwit/store'

interface Tally {
  count: number
  sum: number
  min: number
  max: number
}

/** The number of points kept for the next flush at most, while the store does not accept them. */
const MAX_WAITING = 10_000

/** Collects counts and durations by key and minute in memory until they are taken. Recording costs one map lookup and four numbers. */
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

  /** Returns the points since the last call; the current minute starts again empty. */
  take(): readonly Point[] {
    this.#startMinute(this.#minute)
    const taken = this.#unwritten
    this.#unwritten = []
    return taken
  }

  /** Puts back points that could not be stored. */
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
