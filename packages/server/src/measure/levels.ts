import { SyncError } from '@godwit/protocol'
import { inTime, type Job, type Jobs, type Measures, type Store } from '@godwit/store'

/** What the store holds. */
export interface Levels extends Measures {
  readonly users: number
  readonly devices: number
  readonly sessions: number
  readonly refusals: number
  readonly jobs: JobCounts
}

/** How many jobs of each queue are in each state. */
export type JobCounts = ReadonlyMap<string, { readonly [State in Job['state']]: number }>

interface LevelEngine {
  readonly store: Pick<Store, 'registry' | 'measure'>
  readonly jobs: Pick<Jobs, 'list'>
  readonly clock: () => number
}

/** Milliseconds for which a count is reused, since counting is expensive. */
const COUNT_LIFE = 10_000
const WAIT = 5_000
const PAGE = 500
/** How many jobs are counted at most, over all states. */
const MAX_JOBS = 5_000

/** Counts what a store holds, at most every few seconds, however often it is asked. */
export class LevelReader {
  readonly #engine: LevelEngine
  /** Those that had jobs once: they are told of when they are empty, too. */
  readonly #queues = new Set<string>()
  #last: { readonly at: number; readonly levels: Promise<Levels> } | undefined

  constructor(looking: LevelEngine) {
    this.#engine = looking
  }

  /** Rejects when the store fails, or does not answer in time. */
  read(): Promise<Levels> {
    const now = this.#engine.clock()
    // A time ahead of the clock is one of before it was set back.
    if (this.#last && now >= this.#last.at && now - this.#last.at < COUNT_LIFE) return this.#last.levels
    const levels = inTime(this.#count(), WAIT, tooLate)
    this.#last = { at: now, levels }
    return levels
  }

  /** One after the other, so that requests come in between. */
  async #count(): Promise<Levels> {
    const { store, jobs } = this.#engine
    const { registry, measure } = store
    const users = await registry.count('user')
    const devices = await registry.count('client')
    const sessions = await registry.count('credential')
    const refusals = await registry.count('refusal')
    return { users, devices, sessions, refusals, jobs: await countJobs(jobs, this.#queues), ...(await measure()) }
  }
}

/** The first `MAX_JOBS` of them; a queue that was not known becomes so. */
async function countJobs(jobs: Pick<Jobs, 'list'>, queues: Set<string>): Promise<JobCounts> {
  const counts = new Map([...queues].map(queue => [queue, noJobs()]))
  let after: Job | undefined
  for (let left = MAX_JOBS; left > 0; left -= PAGE) {
    const page = await jobs.list({ after, limit: PAGE })
    for (const { queue, state } of page) {
      const of = counts.get(queue) ?? noJobs()
      of[state]++
      counts.set(queue, of)
      queues.add(queue)
    }
    if (page.length < PAGE) break
    after = page.at(-1)
  }
  return counts
}

const noJobs = () => ({ waiting: 0, running: 0, dead: 0 })

const tooLate = (): SyncError =>
  new SyncError('store_unavailable', `expected an answer of the store within ${WAIT} ms, got none.`)
