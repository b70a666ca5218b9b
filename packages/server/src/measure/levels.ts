import { SyncError } from '@godwit/protocol'
import type { Measures, Store } from '@godwit/store'
import { inTime } from '../in-time.js'

/** What the store holds. */
export interface Levels extends Measures {
  readonly users: number
  readonly devices: number
  readonly sessions: number
}

interface Looking {
  readonly store: Pick<Store, 'registry' | 'measure'>
  readonly clock: () => number
}

/** Counting costs more than telling: for so many milliseconds the last count is told again. */
const FRESH = 10_000
const WAIT = 5_000

/** Counts what a store holds, at most every few seconds, however often it is asked. */
export class LevelReader {
  readonly #looking: Looking
  #last: { readonly at: number; readonly levels: Promise<Levels> } | undefined

  constructor(looking: Looking) {
    this.#looking = looking
  }

  /** Rejects when the store fails, or does not answer in time. */
  read(): Promise<Levels> {
    const now = this.#looking.clock()
    if (this.#last && now - this.#last.at < FRESH) return this.#last.levels
    const levels = inTime(this.#count(), WAIT, tooLate)
    this.#last = { at: now, levels }
    return levels
  }

  /** One after the other, so that requests come in between. */
  async #count(): Promise<Levels> {
    const { registry, measure } = this.#looking.store
    const users = await registry.count('user')
    const devices = await registry.count('client')
    const sessions = await registry.count('credential')
    return { users, devices, sessions, ...(await measure()) }
  }
}

const tooLate = (): SyncError => new SyncError('store_unavailable', `The store did not answer within ${WAIT} ms.`)
