import type { ProcessState } from '@godwit/protocol'
import { type Log, messageOf } from '@godwit/source'
import type { RecordValue, Store } from '@godwit/store'
import type { StrayErrorCount } from './stray-errors.js'

/** The figures of one process since its start. */
export interface Figures extends ProcessState {
  /** Route → the number of requests per bucket of the histogram. */
  readonly requests: readonly (readonly [route: string, counts: readonly number[]])[]
  readonly failures: readonly (readonly [route: string, code: string, count: number])[]
  /** Absent in a process of an older version. */
  readonly strayErrors?: readonly StrayErrorCount[]
}

/** The channel on which a process requests the figures of the others. */
const FIGURES_CHANNEL = 'figures_wanted'
const PREFIX = 'process:'
/** The minimum milliseconds between two records; a record expires after `RECORD_LIFE`. */
const AT_LEAST = 1000
const RECORD_LIFE = 20_000
const MAX_PROCESSES = 1000

interface FiguresOptions {
  readonly store: Pick<Store, 'events' | 'registry' | 'now'>
  readonly log: Log
  /** The id of this process. */
  readonly process: string
  readonly read: () => Promise<Figures>
}

/**
 * Collects the figures of all processes of a server. A process stores its figures only when another requests them, so that a single process writes
 * nothing.
 */
export class ProcessFigures {
  readonly #options: FiguresOptions
  #recordedAt = Number.NEGATIVE_INFINITY
  #subscription: Promise<() => Promise<void>> | undefined

  constructor(options: FiguresOptions) {
    this.#options = options
  }

  start(): void {
    const { store, log, process } = this.#options
    this.#subscription = store.events.subscribe(FIGURES_CHANNEL, by => {
      if (by !== process) void this.#record()
    })
    this.#subscription.catch(error =>
      log.warn({ error: messageOf(error) }, 'could not publish the figures of this process'),
    )
  }

  async stop(): Promise<void> {
    const end = await this.#subscription?.catch(() => undefined)
    await end?.().catch(() => {})
  }

  /** Returns the figures of this process first, then the last stored ones of the others. */
  async all(): Promise<readonly Figures[]> {
    const { store, read } = this.#options
    const own = await read()
    await store.events.publish(FIGURES_CHANNEL, own.process)
    const present = await store.now()
    const records = await store.registry.list('server', { after: PREFIX, limit: MAX_PROCESSES })
    const others = records
      .filter(({ id, value }) => id.startsWith(PREFIX) && id !== PREFIX + own.process && isFresh(value, present))
      .map(({ value }) => value['figures'] as unknown as Figures)
    return [own, ...others]
  }

  async #record(): Promise<void> {
    const { store, read, log } = this.#options
    const now = performance.now()
    if (now - this.#recordedAt < AT_LEAST) return
    this.#recordedAt = now
    const figures = await read()
    const id = PREFIX + figures.process
    try {
      const at = await store.now()
      const expiresAt = at + RECORD_LIFE
      const value = { at, figures } as unknown as RecordValue
      const merged = await store.registry.merge('server', id, value, { expiresAt })
      if (merged === undefined) await store.registry.create('server', { id, value, expiresAt })
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'could not record the figures of this process')
    }
  }
}

const isFresh = ({ at }: RecordValue, now: number): boolean =>
  typeof at === 'number' && Math.abs(now - at) < RECORD_LIFE
