import { isSyncError } from '@godwit/protocol'
import type { Timers } from '../platform/timers.js'

/** Milliseconds before a device that another process is syncing is tried again; each further wait doubles. */
export const FIRST_LOCK_RETRY_MS = 200
export const MAX_LOCK_RETRY_MS = 5000

/** Retries runs that another process prevented. */
export class LockRetries {
  readonly #timers: Timers
  readonly #waits = new Set<() => void>()

  constructor(timers: Timers) {
    this.#timers = timers
  }

  async unlocked<T>(run: () => Promise<T>): Promise<T> {
    for (let wait = FIRST_LOCK_RETRY_MS; ; wait = Math.min(MAX_LOCK_RETRY_MS, wait * 2)) {
      try {
        return await run()
      } catch (error) {
        const isLocked = isSyncError(error) && error.code === 'device_locked'
        if (!isLocked || !(await this.#passes(wait))) throw error
      }
    }
  }

  /** Stops retrying. */
  end(): void {
    for (const end of [...this.#waits]) end()
  }

  #passes(milliseconds: number): Promise<boolean> {
    return new Promise(resolve => {
      const end = (): void => {
        cancel()
        this.#waits.delete(end)
        resolve(false)
      }
      const cancel = this.#timers.set(() => {
        this.#waits.delete(end)
        resolve(true)
      }, milliseconds)
      this.#waits.add(end)
    })
  }
}
