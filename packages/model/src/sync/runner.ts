import { SyncError } from '@godwit/protocol'
import type { Drive } from '../database/driver.js'
import { type SyncOptions, type SyncSummary, sync } from './sync.js'
import type { Syncing } from './syncing.js'

/** Runs one after the other, each under the device's lock. */
export class Runner {
  readonly #syncing: Syncing
  readonly #drive: Pick<Drive, 'lock'>
  readonly #controllers = new Set<AbortController>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(syncing: Syncing, drive: Pick<Drive, 'lock'>) {
    this.#syncing = syncing
    this.#drive = drive
  }

  run(options: Omit<SyncOptions, 'signal'>): Promise<SyncSummary> {
    const controller = new AbortController()
    this.#controllers.add(controller)
    const result = this.#last
      .then(() => this.#locked({ ...options, signal: controller.signal }))
      .finally(() => this.#controllers.delete(controller))
    this.#last = result.catch(() => {})
    return result
  }

  /** Ends what runs and what waits. Pages that are applied stay. */
  async stop(): Promise<void> {
    for (const controller of this.#controllers) controller.abort()
    await this.#last
  }

  async #locked(options: SyncOptions): Promise<SyncSummary> {
    if (options.signal.aborted) return { sources: [], received: 0, sent: 0, stopped: true }
    const release = this.#drive.lock()
    if (!release)
      throw new SyncError(
        'device_locked',
        'Another process synchronizes this device: expected to be the only one. Try again when it is done.',
      )
    try {
      return await sync(this.#syncing, options)
    } finally {
      release()
    }
  }
}
