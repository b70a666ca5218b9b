import { throwUncaught } from './call-safely.js'

/** Tracks whether a callback of the app is running, to distinguish writes within callbacks from others. */
export class Callbacks {
  /** Receives errors of callbacks. Default: thrown as uncaught errors. */
  threw: (error: unknown) => void = throwUncaught
  #depth = 0

  get areRunning(): boolean {
    return this.#depth > 0
  }

  run<T>(callback: () => T): T {
    this.#depth++
    try {
      return callback()
    } finally {
      this.#depth--
    }
  }
}
