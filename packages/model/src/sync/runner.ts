import { isSyncError, SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import type { SyncContext } from '../run/sync-context.js'
import { type BulkSummary, bulkSync } from './bulk-sync.js'
import { type SyncOptions, type SyncSummary, sync } from './sync.js'

const STOPPED: SyncSummary = { sources: [], received: 0, sent: 0, stopped: true }

/** Runs syncs of all sources one after the other, and small ones beside them. Each source is in one run at a time, and all hold the device's lock. */
export class Runner {
  readonly #syncing: SyncContext
  readonly #controllers = new Set<AbortController>()
  readonly #running = new Set<Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()
  #lock: { readonly release: () => void; holders: number } | undefined

  constructor(context: SyncContext) {
    this.#syncing = context
  }

  get isRunning(): boolean {
    return this.#running.size > 0
  }

  runQueued(options: Omit<SyncOptions, 'signal'>): Promise<SyncSummary> {
    return this.#queue(signal => sync(this.#syncing, { ...options, signal }), STOPPED)
  }

  /** Runs without waiting for runs of other sources. */
  runConcurrently(options: Omit<SyncOptions, 'signal'>): Promise<SyncSummary> {
    return this.#runAfter(Promise.resolve(), signal => sync(this.#syncing, { ...options, signal }), STOPPED)
  }

  bulk(models: readonly OpenModel[]): Promise<BulkSummary> {
    return this.#queue(signal => bulkSync(this.#syncing, models, signal), { sources: [], bytes: 0, sync: STOPPED })
  }

  #queue<T>(work: (signal: AbortSignal) => Promise<T>, stopped: T): Promise<T> {
    const result = this.#runAfter(this.#last, work, stopped)
    this.#last = result.catch(() => {})
    return result
  }

  #runAfter<T>(before: Promise<unknown>, work: (signal: AbortSignal) => Promise<T>, stopped: T): Promise<T> {
    const controller = new AbortController()
    const { signal } = controller
    this.#controllers.add(controller)
    const result = before
      .then(() => (signal.aborted ? stopped : this.#runLocked(() => work(signal))))
      .catch((error: unknown) => {
        // A request that stopSync aborted looks like a lost network.
        if (signal.aborted && isSyncError(error) && error.code === 'offline') return stopped
        throw error
      })
      .finally(() => this.#controllers.delete(controller))
    const over = result.then(noResult, noResult).finally(() => this.#running.delete(over))
    this.#running.add(over)
    return result
  }

  /** Stops running and waiting runs. Applied pages stay. */
  async stop(): Promise<void> {
    for (const controller of this.#controllers) controller.abort()
    await Promise.all(this.#running)
  }

  async #runLocked<T>(work: () => Promise<T>): Promise<T> {
    const release = this.#lock ? this.#lock.release : this.#syncing.drive.lock()
    if (!release)
      throw new SyncError('device_locked', 'Another process is syncing this device. Try again when it has finished.')
    this.#lock ??= { release, holders: 0 }
    this.#lock.holders++
    try {
      // The page that ends a pass reads every row.
      return await this.#syncing.database.unmapped(work)
    } finally {
      if (--this.#lock.holders === 0) {
        this.#lock = undefined
        release()
      }
    }
  }
}

const noResult = (): void => {}
