import { isSyncError } from '@godwit/protocol'
import type { Counter, Store } from '@godwit/store'
import { FairLimiter, tooManyRequests } from './fair-limiter.js'
import { networkOf } from './network.js'
import { storedForm } from './secrets.js'

/** A login attempt: the login as typed, existing or not, and the client address. */
export interface Attempt {
  readonly login: string
  /** The remote address; '' if unknown. */
  readonly address: string
}

/** The kind of login that is checked. Each kind has its own slots, so that a flood of one does not block the others. */
export type Lane = keyof typeof LANES

const LANES = {
  /** Device passwords: two checks use two cores, and tens of megabytes each. */
  device: { running: 2, waiting: { all: 64, address: 32, login: 4 } },
  /** Passwords of API users: one slot is reserved for them. */
  api: { running: 1, waiting: { all: 64, address: 32, login: 4 } },
  /** Logins checked by a backend. */
  backend: { running: 64, waiting: { all: 1024, address: 512, login: 4 } },
} as const

/** Failures allowed without a wait: people mistype, an address may serve a whole office, and a login may be on many devices. */
export const FREE_ATTEMPTS = { pair: 5, address: 50, login: 100 } as const
/** Attempts per minute for one login from one address, successful or not. */
export const RATE = 60
const MINUTE = 60_000
const FIRST_WAIT = 1000
/** The longest wait in milliseconds; failures are remembered for at least as long after it. */
export const MAX_WAIT = 15 * 60_000
/** The longest wait in milliseconds for a login that fails from many addresses; short, so that its owner is not locked out. */
export const MAX_LOGIN_WAIT = 10_000
const FAILURE_LIFE = 2 * MAX_WAIT
/** Milliseconds for which an address stays trusted after a successful login. */
const KNOWN_ADDRESS_LIFE = 7 * 24 * 3600_000

const FAILED: ReadonlySet<string> = new Set(['invalid_credentials', 'not_an_api_user', 'not_a_device_user'])

/**
 * Slows down guessing: further failures from an address double its wait, and a login that fails from many addresses is tried every few seconds at
 * most. Addresses with a recent successful login are exempt from the second; all processes share the counters in the store.
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

  /** Runs the work in its turn. Throws `too_many_attempts` if the attempt has to wait. */
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

  /** Counts the attempt, regardless of its result. */
  async #rate(pair: string): Promise<void> {
    const now = this.#clock()
    const count = await this.#counters.add(`${pair} ${Math.floor(now / MINUTE)}`, 2 * MINUTE)
    if (count > RATE) throw tooManyRequests(Math.ceil((MINUTE - (now % MINUTE)) / 1000))
  }

  async #fail({ pair, address, login }: ThrottleKeys): Promise<void> {
    await Promise.all([pair, address, login].map(name => this.#counters.add(name, FAILURE_LIFE)))
  }
}

/** Milliseconds that an attempt has to wait after these failures. */
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

/** Folds spellings that a backend may treat as one login. Used for throttling only: users with different spellings stay separate. */
const foldedLogin = (login: string): string => login.normalize('NFKC').toLowerCase().trim()

// Hashed, so that a long login takes no more space than a short one.
function namesOf({ login, network }: { readonly login: string; readonly network: string }): ThrottleKeys {
  const name = (...parts: readonly string[]): string => `login:${storedForm(JSON.stringify(parts))}`
  return {
    pair: name('pair', network, login),
    address: name('address', network),
    login: name('login', foldedLogin(login)),
    known: name('known', network, login),
  }
}
