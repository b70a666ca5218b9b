import type { CollectionId } from '@godwit/store'
import type { Source } from '../sources/source.js'
import { ParameterRuns, type WaitingCaller } from './parameter-runs.js'

/** Which query runs, on whose behalf. */
export interface QueryRun {
  readonly source: Source
  readonly collection: CollectionId
  readonly user: string
  /** What the app gave to its sync. */
  readonly parameters: { readonly [name: string]: string }
  /** Of the collection when it was asked for; another one's is left alone. Absent: the present one's, which is made if there is none. */
  readonly epoch?: string
  /** Aborts when no caller waits any more: the query is given up, and nothing is noted. Without it the query runs to its end. */
  readonly ended?: AbortSignal
  /** True for a pull that follows a hint: a source with `pollInterval` 0 need not be queried for it. */
  readonly isHinted?: boolean
  /** The client that waits for it, and gets what it brings. */
  readonly by?: string | undefined
}

/** A query that a pull or the server asks for, and who waits for it. */
export interface QueryRequest extends QueryRun {
  /** The id of the client that asks. Absent: the server itself asks. */
  readonly client?: string
  readonly caller?: WaitingCaller | undefined
}

/** How a run ended. `elsewhere`: another process runs the query. `abandoned`: no caller waited any more; a query that was due still is. */
export type RunEnd = 'ran' | 'elsewhere' | 'abandoned'

/** The queries that run in this process. */
export class QueryRuns {
  readonly parameters: ParameterRuns
  readonly firstFailures = new FirstQueryFailures()
  readonly #shared = new Map<string, Promise<RunEnd>>()

  constructor(stopping: AbortSignal) {
    this.parameters = new ParameterRuns(stopping)
  }

  /** The run of a collection that is under way here. */
  present(collection: CollectionId): Promise<RunEnd> | undefined {
    return this.#shared.get(keyOf(collection))
  }

  /** Joins the run of the collection that is under way, or begins one. With an epoch, runs of other epochs are other runs. */
  share(collection: CollectionId, epoch: string | undefined, begin: () => Promise<RunEnd>): Promise<RunEnd> {
    const key = keyOf(collection, epoch)
    const present = this.#shared.get(key)
    if (present !== undefined) return present
    const run = begin().finally(() => this.#shared.delete(key))
    this.#shared.set(key, run)
    return run
  }
}

/** Milliseconds from the first failure of a first query to the next attempt; each further one waits twice as long. */
const FIRST_PAUSE = 5_000
const LONGEST_PAUSE = 300_000
const MAX_FAILURES = 10_000

/** How often first queries failed. Forgetting it costs a call, not a fact. */
class FirstQueryFailures {
  readonly #failures = new Map<string, number>()

  /** Counts a failure, and returns the milliseconds until the query is tried again. */
  pause(collection: CollectionId, epoch: string): number {
    const key = keyOf(collection, epoch)
    const failed = this.#failures.get(key) ?? 0
    if (this.#failures.size >= MAX_FAILURES) this.#failures.clear()
    this.#failures.set(key, failed + 1)
    return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failed)
  }

  forget(collection: CollectionId, epoch: string): void {
    this.#failures.delete(keyOf(collection, epoch))
  }
}

const keyOf = ({ source, partition }: CollectionId, epoch?: string): string =>
  JSON.stringify([source, partition, epoch])
