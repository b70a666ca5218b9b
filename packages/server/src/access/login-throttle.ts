import { isSyncError } from '@godwit/protocol'
import type { Counter, Store } from '@godwit/store'
import { FairLimiter, tooManyRequests } from './fair-limiter.js'
import { networkOf } from './network.js'
import { storedForm } from './secrets.js'

/** Whose attempt: the login as it was typed, whether it exists or not, and where it comes from. */
export interface Attempt {
  readonly login: string
  /** The remote address; '' where there is none. */
  readonly address: string
}

/** The kind of login that is checked. Each kind has separate places, so that a flood of one leaves the others free. */
export type Lane = keyof typeof LANES

const LANES = {
  /** Passwords of devices: two take two cores, and each some tens of megabytes. */
  device: { running: 2, waiting: { all: 64, address: 32, login: 4 } },
  /** Passwords on the route of API users: one place is always theirs. */
  api: { running: 1, waiting: { all: 64, address: 32, login: 4 } },
  /** Logins that a backend decides on. */
  backend: { running: 64, waiting: { all: 1024, address: 512, login: 4 } },
} as const

/** How many failures are free: a person mistypes, behind one address there may be an office, and a login may be on many devices. */
export const FREE_ATTEMPTS = { pair: 5, address: 50, login: 100 } as const
/** How often a minute one login may be tried from one address, right or wrong. */
export const RATE = 60
const MINUTE = 60_000
const FIRST_WAIT = 1000
/** The longest wait, in milliseconds, and how long failures are remembered at least after it. */
export const MAX_WAIT = 15 * 60_000
/** The longest wait for a login that fails from many addresses: it slows a guess down, and does not lock its owner out. */
export const MAX_LOGIN_WAIT = 10_000
const FAILURE_LIFE = 2 * MAX_WAIT
/** How long an address counts as one that the login was right from. */
const KNOWN_ADDRESS_LIFE = 7 * 24 * 3600_000

const FAILED: ReadonlySet<string> = new Set(['invalid_credentials', 'not_an_api_user', 'not_a_device_user'])

/**
 * Slows down guessing: each failure beyond some from an address doubles its wait, and after failures from many addresses a login is tried every few seconds
 * at most. An address that the login was right from is spared that; the store counts failures, for all of its processes.
 */
export class LoginThrottle {
  readonly #counters: Store['counters']
  readonly #clock: () => number
  readonly #lanes: { readonly [Name in Lane]: FairLimiter }

  constructor({
    store: { counters },
    clock,
  }: { readonly store: Pick<Store, 'counters'>; readonly clock: () => number }) {
    this.#counters = counters
    this.#clock = clock
    this.#lanes = {
      device: new FairLimiter(LANES.device),
      api: new FairLimiter(LANES.api),
      backend: new FairLimiter(LANES.backend),
    }
  }

  /** Does the work in its turn, unless the attempt has to wait. */
  async attempt<T>({ login, address }: Attempt, lane: Lane, work: () => Promise<T>): Promise<T> {
    const network = networkOf(address)
    const names = namesOf({ login, network })
    await this.#check(names)
    await this.#rate(names.pair)
    return this.#lanes[lane].run({ address: network, login: names.login }, async () => {
      await this.#check(names)
      try {
        const done = await work()
        await Promise.all([this.#counters.remove(names.pair), this.#counters.add(names.known, KNOWN_ADDRESS_LIFE)])
        return done
      } catch (error) {
        if (isSyncError(error) && FAILED.has(error.code)) await this.#fail(names)
        throw error
      }
    })
  }

  async #check(names: ThrottleKeys): Promise<void> {
    const [pair, address, login, known] = await this.#counters.get([
      names.pair,
      names.address,
      names.login,
      names.known,
    ])
    const waits = [waitOf(pair, FREE_ATTEMPTS.pair, MAX_WAIT)]
    if (!known)
      waits.push(waitOf(address, FREE_ATTEMPTS.address, MAX_WAIT), waitOf(login, FREE_ATTEMPTS.login, MAX_LOGIN_WAIT))
    const wait = Math.max(...waits)
    if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000))
  }

  /** Counts the attempt, however it ends. */
  async #rate(pair: string): Promise<void> {
    const now = this.#clock()
    const count = await this.#counters.add(`${pair} ${Math.floor(now / MINUTE)}`, 2 * MINUTE)
    if (count > RATE) throw tooManyRequests(Math.ceil((MINUTE - (now % MINUTE)) / 1000))
  }

  async #fail({ pair, address, login }: ThrottleKeys): Promise<void> {
    await Promise.all([pair, address, login].map(name => this.#counters.add(name, FAILURE_LIFE)))
  }
}

/** How long failures make an attempt wait, in milliseconds. */
function waitOf(failures: Counter | undefined, free: number, longest: number): number {
  if (!failures || failures.count < free) return 0
  return Math.min(longest, FIRST_WAIT * 2 ** Math.min(failures.count - free, 20)) - failures.age
}

interface ThrottleKeys {
  readonly pair: string
  readonly address: string
  readonly login: string
  readonly known: string
}

/** One text for spellings that a backend may take for the same login. Only slowing down goes by it: others are another user's. */
const foldedLogin = (login: string): string => login.normalize('NFKC').toLowerCase().trim()

// Hashed, so that a long login takes no more room than a short one.
function namesOf({ login, network }: { readonly login: string; readonly network: string }): ThrottleKeys {
  const name = (...parts: readonly string[]): string => `login:${storedForm(JSON.stringify(parts))}`
  return {
    pair: name('pair', network, login),
    address: name('address', network),
    login: name('login', foldedLogin(login)),
    known: name('known', network, login),
  }
}
