import { SyncError } from '@godwit/protocol'
import {
  type CollectionId,
  type Head,
  inTime,
  type Job,
  type Jobs,
  type Measures,
  type PendingRemovals,
  type Store,
} from '@godwit/store'

/** Counts and measures of what the store contains. */
export interface Levels extends Measures {
  readonly users: number
  readonly devices: number
  readonly sessions: number
  readonly refusals: number
  readonly jobs: JobCounts
  readonly removals: readonly PartitionRemovals[]
}

/** The removals of a partition that are held back. */
export interface PartitionRemovals extends CollectionId {
  readonly pending: PendingRemovals
  /** True if an operator accepted them. */
  readonly accepted: boolean
}

/** The number of jobs in each state, by queue. */
export type JobCounts = ReadonlyMap<string, { readonly [State in Job['state']]: number }>

interface LevelEngine {
  readonly store: Pick<Store, 'registry' | 'measure' | 'collections'>
  readonly jobs: Pick<Jobs, 'list'>
  readonly clock: () => number
}

/** Milliseconds for which a count is reused, since counting is expensive. */
const COUNT_LIFE = 10_000
const WAIT = 5_000
const PAGE = 500
/** The number of jobs counted at most, over all states. */
const MAX_JOBS = 5_000
/** The number of partitions whose removals are counted at most. */
const MAX_REMOVALS = 1_000

/** Counts what a store contains, at most once per `COUNT_LIFE`. */
export class LevelReader {
  readonly #engine: LevelEngine
  /** Queues that have had jobs: they are reported while empty, too. */
  readonly #queues = new Set<string>()
  #last: { readonly at: number; readonly levels: Promise<Levels> } | undefined

  constructor(looking: LevelEngine) {
    this.#engine = looking
  }

  /** Returns the counts. Rejects if the store fails or does not respond in time. */
  read(): Promise<Levels> {
    const now = this.#engine.clock()
    // A time in the future is from before the clock was set back.
    if (this.#last && now >= this.#last.at && now - this.#last.at < COUNT_LIFE) return this.#last.levels
    const levels = inTime(this.#count(), WAIT, tooLate)
    this.#last = { at: now, levels }
    return levels
  }

  /** Counts one kind after another, so that other requests run in between. */
  async #count(): Promise<Levels> {
    const { store, jobs } = this.#engine
    const { registry, measure } = store
    const users = await registry.count('user')
    const devices = await registry.count('client')
    const sessions = await registry.count('credential')
    const refusals = await registry.count('refusal')
    const removals = await readRemovals(store)
    const counts = { users, devices, sessions, refusals, removals }
    return { ...counts, jobs: await countJobs(jobs, this.#queues), ...(await measure()) }
  }
}

/** Reads the first `MAX_REMOVALS` partitions with removals that are held back. */
async function readRemovals({ collections }: Pick<Store, 'collections'>): Promise<readonly PartitionRemovals[]> {
  const found = await collections.withPendingRemovals({ limit: MAX_REMOVALS })
  const heads = await Promise.all(found.map(collection => collections.head(collection)))
  return found.flatMap((collection, at) => removalsOf(collection, heads[at]))
}

function removalsOf({ source, partition }: CollectionId, head: Head | undefined): readonly PartitionRemovals[] {
  if (head?.pendingRemovals === undefined) return []
  const accepted = head.acceptedRemovals !== undefined
  return [{ source, partition, pending: head.pendingRemovals, accepted }]
}

/** Counts the first `MAX_JOBS` jobs, and adds their queues to the known ones. */
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
