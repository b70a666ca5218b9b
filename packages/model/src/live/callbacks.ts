import { throwUncaught } from './call-safely.js'

/** Knows whether the app is being called back now, so that what it writes meanwhile is told from what it writes by itself. */
export class Callbacks {
  /** Hears what a callback threw. Default: thrown by itself, as an uncaught error. */
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
