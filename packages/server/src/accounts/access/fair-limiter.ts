import { SyncError } from '@godwit/protocol'

/** The client address and login that a task is charged to. */
export interface Claimant {
  readonly address: string
  readonly login: string
}

/** The limits of a `FairLimiter`. */
export interface FairLimiterOptions {
  /** The number of tasks that run at once. */
  readonly running: number
  /** The number of tasks that may wait: in total, per address, and per login of one address. */
  readonly waiting: { readonly all: number; readonly address: number; readonly login: number }
}

interface WaitingTask {
  readonly go: () => void
  readonly refuse: (error: Error) => void
}

type AddressQueue = Map<string, WaitingTask[]>

/**
 * Runs expensive tasks in turn between addresses, and within one address between logins, so that a flood delays only its sender. When the queue is
 * full, the newest task of the longest address queue is refused with `too_many_attempts`.
 */
export class FairLimiter {
  readonly #options: FairLimiterOptions
  /** Waiting tasks by address, in the order of their next turn. */
  readonly #lines = new Map<string, AddressQueue>()
  #running = 0
  #waiting = 0

  constructor(options: FairLimiterOptions) {
    this.#options = options
  }

  /** The number of waiting tasks. */
  get waiting(): number {
    return this.#waiting
  }

  async run<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.running) this.#running++
    else await this.#wait(claimant)
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  #wait({ address, login }: Claimant): Promise<void> {
    const { waiting } = this.#options
    const line = this.#lines.get(address)
    const own = sizeOf(line)
    if (own >= waiting.address || (line?.get(login)?.length ?? 0) >= waiting.login) throw tooManyRequests(1)
    if (this.#waiting >= waiting.all && !this.#makeRoom(own)) throw tooManyRequests(1)
    return new Promise((go, refuse) => this.#enqueue({ address, login }, { go, refuse }))
  }

  #enqueue({ address, login }: Claimant, waiting: WaitingTask): void {
    const line: AddressQueue = this.#lines.get(address) ?? new Map()
    const own = line.get(login) ?? []
    own.push(waiting)
    this.#lines.set(address, line.set(login, own))
    this.#waiting++
  }

  /** Refuses the newest task of the longest queue, if that queue is longer than the newcomer's would be. */
  #makeRoom(than: number): boolean {
    const longest = longestOf(this.#lines, sizeOf)
    if (!longest || sizeOf(longest[1]) <= than + 1) return false
    const [address, line] = longest
    const [login, own] = longestOf(line, ({ length }) => length) ?? ['', []]
    own.pop()?.refuse(tooManyRequests(1))
    this.#leave({ address, login }, line, own)
    return true
  }

  /** Hands the slot to the first login of the first address, then moves both to the end. */
  #passOn(): void {
    const [address, line] = firstOf(this.#lines) ?? []
    if (address === undefined || !line) return void this.#running--
    const [login = '', own = []] = firstOf(line) ?? []
    const next = own.shift()
    this.#lines.delete(address)
    line.delete(login)
    this.#lines.set(address, line.set(login, own))
    this.#leave({ address, login }, line, own)
    next?.go()
  }

  #leave({ address, login }: Claimant, line: AddressQueue, own: readonly WaitingTask[]): void {
    this.#waiting--
    if (own.length === 0) line.delete(login)
    if (line.size === 0) this.#lines.delete(address)
  }
}

/** The same error for every caller, so that it does not reveal which logins exist. */
export const tooManyRequests = (retryAfter: number): SyncError =>
  new SyncError(
    'too_many_attempts',
    `Too many login attempts. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
    {
      details: { retryAfter },
    },
  )

const firstOf = <Name, Value>(map: ReadonlyMap<Name, Value>): readonly [Name, Value] | undefined => {
  for (const entry of map) return entry
  return undefined
}

const sizeOf = (line: AddressQueue | undefined): number => {
  let size = 0
  for (const { length } of line?.values() ?? []) size += length
  return size
}

function longestOf<Name, Value>(
  map: ReadonlyMap<Name, Value>,
  length: (value: Value) => number,
): readonly [Name, Value] | undefined {
  let longest: readonly [Name, Value] | undefined
  for (const entry of map) if (!longest || length(entry[1]) > length(longest[1])) longest = entry
  return longest
}
