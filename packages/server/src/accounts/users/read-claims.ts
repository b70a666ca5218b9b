import type { Attributes } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { RecentMap } from '../../base/recent-map.js'
import { findUser } from './user-record.js'

/** Milliseconds for which the attributes of a user are kept. */
const MAX_AGE = 5000
const CAPACITY = 10_000

const NO_CLAIMS: Attributes = Object.freeze({})

/** Reads the attributes of users for calls of sources, and keeps them for five seconds. */
export class ClaimsReader {
  readonly #registry: Pick<Store['registry'], 'get'>
  readonly #clock: () => number
  readonly #known: RecentMap<{ readonly claims: Attributes; readonly at: number }>

  constructor(registry: Pick<Store['registry'], 'get'>, clock: () => number) {
    this.#registry = registry
    this.#clock = clock
    this.#known = new RecentMap({ clock, idle: MAX_AGE, capacity: CAPACITY })
  }

  /** Returns the attributes of a user; none for `*` and for an unknown one. */
  async read(login: string): Promise<Attributes> {
    if (login === '*') return NO_CLAIMS
    const known = this.#known.get(login)
    if (known !== undefined && Math.abs(this.#clock() - known.at) < MAX_AGE) return known.claims
    const at = this.#clock()
    const claims = (await findUser(this.#registry, login))?.attributes ?? NO_CLAIMS
    this.#known.set(login, { claims, at })
    return claims
  }
}
