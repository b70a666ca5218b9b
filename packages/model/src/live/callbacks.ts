/** Knows whether the app is being called back now, so that what it writes meanwhile is told from what it writes by itself. */
export class Callbacks {
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
