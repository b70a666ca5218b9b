import { isSyncError, SyncError } from '@godwit/protocol'
import { storedForm } from './secrets.js'

/** Whose attempt: the login as it was typed, whether it exists or not, and where it comes from. */
export interface Attempt {
  readonly login: string
  /** The remote address; '' where there is none. */
  readonly address: string
}

interface Failures {
  readonly count: number
  /** Until then attempts are refused, in milliseconds since 1970. */
  readonly until: number
  /** From then on they are forgotten. */
  readonly forgottenAt: number
}

/** How many failures are free: a person mistypes, and behind one address there may be an office. */
export const FREE = { pair: 5, address: 50 } as const
const FIRST_WAIT = 1000
/** The longest wait, and how long failures are remembered after their wait, in milliseconds. */
export const LONGEST_WAIT = 15 * 60_000
/** Of this many pairs and addresses failures are remembered; the longest unused go first. */
export const MAX_REMEMBERED = 10_000

/**
 * Slows down guessing. After some failures for a login from one address, or from an address at all, each further one doubles the wait.
 * Only failures count; a success clears those of its login and address. One process remembers on its own, in bounded memory.
 */
export class LoginThrottle {
  readonly #clock: () => number
  readonly #failures = new Map<string, Failures>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** How many are remembered. */
  get size(): number {
    return this.#failures.size
  }

  /** Does the work unless the attempt has to wait; `check` asks that again, for work that stood in line. */
  async attempt<T>(attempt: Attempt, work: (check: () => void) => Promise<T>): Promise<T> {
    const [pair, address] = keysOf(attempt)
    const check = (): void => this.#check([pair, address])
    check()
    try {
      const done = await work(check)
      this.#failures.delete(pair)
      return done
    } catch (error) {
      if (isSyncError(error) && error.code === 'invalid_credentials') {
        this.#fail(pair, FREE.pair)
        this.#fail(address, FREE.address)
      }
      throw error
    }
  }

  #check(keys: readonly string[]): void {
    const wait = Math.max(...keys.map(key => this.#failures.get(key)?.until ?? 0)) - this.#clock()
    if (wait > 0) throw tooMany(Math.ceil(wait / 1000))
  }

  #fail(key: string, free: number): void {
    const now = this.#clock()
    const known = this.#failures.get(key)
    const count = (known && known.forgottenAt > now ? known.count : 0) + 1
    const wait = count < free ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(count - free, 20))
    this.#failures.delete(key)
    this.#failures.set(key, { count, until: now + wait, forgottenAt: now + wait + LONGEST_WAIT })
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= MAX_REMEMBERED) return
      this.#failures.delete(oldest)
    }
  }
}

/** What is said to everybody alike, so that nobody learns which logins exist. */
export const tooMany = (retryAfter: number): SyncError =>
  new SyncError('too_many_attempts', `Too many logins failed. Try again in ${retryAfter} seconds.`, {
    details: { retryAfter },
  })

// Hashed, so that a long login takes no more memory than a short one.
const keysOf = ({ login, address }: Attempt): readonly [pair: string, address: string] => [
  storedForm(JSON.stringify([address, login])),
  storedForm(JSON.stringify([address])),
]
