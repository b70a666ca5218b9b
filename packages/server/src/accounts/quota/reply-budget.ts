import { getHeapStatistics } from 'node:v8'
import { SyncError } from '@godwit/protocol'
import { callerGone } from '../../backend/query/query-runs.js'

const MiB = 1024 * 1024
/** Milliseconds after which a reply that waits is refused, so that its device tries again later. */
const MAX_WAIT = 20_000

/** The limits of a `ReplyBudget`, in bytes. */
export interface ReplyBudgetOptions {
  /** Bytes of replies in this process. Default: an eighth of the heap's limit, from 8 to 128 MiB. */
  readonly bytes?: number
  /** Bytes of the replies to one user. Default: a quarter of `bytes`. */
  readonly perUser?: number
  /** Milliseconds that a reply waits. Default 20,000. */
  readonly longest?: number
}

interface Waiting {
  readonly user: string
  readonly bytes: number
  readonly admit: () => void
}

const eighthOfHeap = (): number => Math.min(128 * MiB, Math.max(8 * MiB, getHeapStatistics().heap_size_limit / 8))

/**
 * Bounds the bytes of replies to devices that are read, composed or sent at the same time, in the process and for each user, so that slow readers and
 * large pages cost a fixed amount of memory. A reply takes what it may need before it reads, and gives it back when it is sent.
 *
 * @example
 * const lease = budget.lease('ada')
 * await lease.take(READ_BYTES)
 * lease.resize(text.length)
 * response.once('close', () => lease.end())
 */
export class ReplyBudget {
  readonly #bytes: number
  readonly #perUser: number
  readonly #longest: number
  readonly #users = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()
  #used = 0

  constructor({ bytes = eighthOfHeap(), perUser = bytes / 4, longest = MAX_WAIT }: ReplyBudgetOptions = {}) {
    this.#bytes = bytes
    this.#perUser = perUser
    this.#longest = longest
  }

  /** Bytes in use. */
  get used(): number {
    return this.#used
  }

  /** Returns the lease of a request, without any bytes yet. */
  lease(user: string): ReplyLease {
    return new ReplyLease(this, user)
  }

  /** Adds to what the replies to a user use, or takes away from it. For leases. */
  add(user: string, bytes: number): void {
    this.#used += bytes
    const used = (this.#users.get(user) ?? 0) + bytes
    if (used > 0) this.#users.set(user, used)
    else this.#users.delete(user)
    if (bytes < 0) this.#admitWaiting()
  }

  /** Adds bytes once they are free, at once if undefined is returned. Rejects when the caller disconnects or has waited too long. For leases. */
  addWhenFree(user: string, bytes: number, caller: LeaseCaller | undefined): Promise<void> | undefined {
    if (!this.#fits(user, bytes)) return this.#wait(user, bytes, caller)
    this.add(user, bytes)
    return undefined
  }

  /** A reply always fits if there is no other, however large it is. */
  #fits(user: string, bytes: number): boolean {
    const usedByUser = this.#users.get(user) ?? 0
    const fitsUser = usedByUser === 0 || usedByUser + bytes <= this.#perUser
    return fitsUser && (this.#used === 0 || this.#used + bytes <= this.#bytes)
  }

  /** Admits those who fit, in the order in which they came; a user's limit delays no other user. */
  #admitWaiting(): void {
    for (const waiting of this.#waiting) {
      if (this.#used >= this.#bytes) return
      if (!this.#fits(waiting.user, waiting.bytes)) continue
      this.#waiting.delete(waiting)
      this.add(waiting.user, waiting.bytes)
      waiting.admit()
    }
  }

  #wait(user: string, bytes: number, caller: LeaseCaller | undefined): Promise<void> {
    const signal = caller?.signal
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        this.#waiting.delete(waiting)
        settle()
      }
      const leave = (): void => end(() => reject(callerGone()))
      const waiting = { user, bytes, admit: () => end(resolve) }
      const timer = setTimeout(() => end(() => reject(busyError())), this.#longest).unref()
      this.#waiting.add(waiting)
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave)
    })
  }
}

const busyError = (): SyncError =>
  new SyncError('store_unavailable', 'The server is sending as many large replies as its memory allows. Try again.')

/** The caller that waits for a reply. */
interface LeaseCaller {
  readonly signal: AbortSignal
}

/** The bytes that one reply uses. */
export class ReplyLease {
  readonly #budget: ReplyBudget
  readonly #user: string
  #bytes = 0
  #isOver = false

  constructor(budget: ReplyBudget, user: string) {
    this.#budget = budget
    this.#user = user
  }

  /** Uses at least this many bytes from now on; waits until they are free. */
  async take(bytes: number, caller?: LeaseCaller): Promise<void> {
    if (bytes <= this.#bytes) return
    this.resize(0)
    await this.#budget.addWhenFree(this.#user, bytes, caller)
    this.#bytes = bytes
    if (this.#isOver) this.resize(0)
  }

  /** Uses this many bytes from now on, without a wait. */
  resize(bytes: number): void {
    const next = this.#isOver ? 0 : bytes
    if (next !== this.#bytes) this.#budget.add(this.#user, next - this.#bytes)
    this.#bytes = next
  }

  /** Gives everything back. */
  end(): void {
    this.#isOver = true
    this.resize(0)
  }
}
