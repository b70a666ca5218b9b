import { type Log, messageOf } from '@godwit/source'
import { BUCKET_SECONDS, type Point, type Store } from '@godwit/store'
import { GAUGES, type Gauge } from './metric-keys.js'
import { Recorder } from './recorder.js'

interface StatisticsOptions {
  readonly store: Pick<Store, 'series' | 'registry'>
  readonly clock: () => number
  readonly log: Log
}

const COUNTED_KINDS = { users: 'user', clients: 'client' } as const satisfies { readonly [Name in Gauge]: string }

/** Server statistics, collected in memory and written to the store every few seconds, never within a request. */
export class Statistics {
  readonly #options: StatisticsOptions
  readonly #recorder: Recorder
  #sampledMinute = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(keeping: StatisticsOptions) {
    this.#options = keeping
    this.#recorder = new Recorder(keeping.clock)
  }

  /** Records one occurrence with its duration in seconds. */
  get record(): (key: string, seconds: number) => void {
    return this.#recorder.record
  }

  /** Starts writing in the background every `seconds`, without keeping the process alive. */
  start(seconds: number): void {
    this.#timer ??= setInterval(() => void this.#tick(), seconds * 1000).unref()
  }

  /** Stops the timer and writes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#tick()
  }

  /** Writes the collected points, and the gauges if requested, so that a reader sees the current minute too. */
  flush({ gauges }: { readonly gauges: boolean }): Promise<void> {
    const written = this.#writing.then(async () => this.#write(gauges ? await this.#sample() : []))
    this.#writing = written.catch(() => {})
    return written
  }

  /** Discards unwritten points; resolves when no earlier write is in progress. */
  async drop(): Promise<void> {
    await this.#writing
    this.#recorder.take()
    this.#sampledMinute = 0
  }

  #tick(): Promise<void> {
    const gauges = this.#minute() !== this.#sampledMinute
    return this.flush({ gauges }).catch(error =>
      this.#options.log.warn({ error: messageOf(error) }, 'could not write statistics; will try again'),
    )
  }

  async #write(levels: readonly Point[]): Promise<void> {
    const taken = this.#recorder.take()
    if (taken.length + levels.length === 0) return
    try {
      await this.#options.store.series.add([...taken, ...levels])
    } catch (error) {
      this.#recorder.giveBack(taken)
      throw error
    }
  }

  async #sample(): Promise<readonly Point[]> {
    const { registry } = this.#options.store
    this.#sampledMinute = this.#minute()
    const time = this.#sampledMinute * BUCKET_SECONDS
    return Promise.all(GAUGES.map(async key => ({ key, time, value: await registry.count(COUNTED_KINDS[key]) })))
  }

  #minute(): number {
    return Math.floor(this.#options.clock() / (1000 * BUCKET_SECONDS))
  }
}
