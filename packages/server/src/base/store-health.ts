import { isSyncError, SyncError } from '@godwit/protocol'
import { type Log, messageOf } from '@godwit/source'
import { inTime, type Store } from '@godwit/store'

const NOT_PERSISTENT = 'The store loses all data when Redis restarts. Turn on its append-only file (appendonly yes).'

const EMPTIED_STORE =
  'The store came back empty: users, sessions and collections are lost. Restore it (append-only file, snapshot or backup), or set it up again with `godwit begin`. This server then continues automatically.'

const WATCH_INTERVAL = 60_000

/** Milliseconds in which the store has to respond. */
const CHECK_WAIT = 5000

interface StoreHealthOptions {
  readonly store: Store
  readonly log: Log
  readonly isBegun: () => Promise<boolean>
}

/** Checks that the store of this process works and has what a server needs. `/readyz` and the metrics report the same result. */
export class StoreHealth {
  readonly #store: Store
  readonly #log: Log
  readonly #isBegun: () => Promise<boolean>
  #isExpected = false
  #isEmpty = false
  #isFailing = false
  #warnings: readonly string[] = []

  /** `isBegun`: true if the store was ever initialised, which is not so for one that was emptied. */
  constructor({ store, log, isBegun }: StoreHealthOptions) {
    this.#store = store
    this.#log = log
    this.#isBegun = isBegun
  }

  /** Expects an initialised store from now on, and checks in the background how it persists data. */
  expect(): void {
    this.#isExpected = true
    this.#isEmpty = false
    this.#warnings = []
    this.#store.measure().then(
      ({ persists }) => {
        if (persists !== false) return
        this.#warnings = [NOT_PERSISTENT]
        this.#log.warn({}, NOT_PERSISTENT)
      },
      error => this.#log.warn({ error: messageOf(error) }, 'could not determine the durability of the store'),
    )
  }

  /** Checks from time to time until the signal is aborted, so that failures are logged without requests. It never keeps the process alive. */
  watch(signal: AbortSignal, interval = WATCH_INTERVAL): void {
    const timer = setInterval(() => void this.check().catch(() => undefined), interval).unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  /** Returns warnings about a working store. Throws `store_unavailable` if it cannot be read and written, may lose data or has lost it. */
  async check(): Promise<readonly string[]> {
    try {
      await inTime(this.#store.check(), CHECK_WAIT, tooLate)
    } catch (error) {
      if (!this.#isFailing) this.#log.error({ error: messageOf(error) }, 'the store is not ready')
      this.#isFailing = true
      throw error
    }
    if (this.#isFailing) this.#log.info({}, 'the store is ready again')
    this.#isFailing = false
    return this.warnings()
  }

  /** Returns the same warnings without a write. Throws `store_unavailable` only if the store lost its data, until an operator has decided. */
  async warnings(): Promise<readonly string[]> {
    if (!this.#isExpected) return []
    const isEmpty = !(await this.#isBegun())
    if (isEmpty !== this.#isEmpty) {
      this.#isEmpty = isEmpty
      if (isEmpty) this.#log.error({}, EMPTIED_STORE)
      else this.#log.info({}, 'the store has its data again')
    }
    if (isEmpty) throw new SyncError('store_unavailable', EMPTIED_STORE)
    return this.#warnings
  }
}

const tooLate = (): SyncError =>
  new SyncError('store_unavailable', `expected an answer of the store within ${CHECK_WAIT} ms, got none.`)

/** True if the store could not perform the operation, because it is full or unreachable. */
export const isUnavailable = (error: unknown): error is SyncError =>
  isSyncError(error) && error.code === 'store_unavailable'
