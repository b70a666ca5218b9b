/** Counts the requests per user that this process is serving. */
export class ActiveRequests {
  readonly #counts = new Map<string, number>()
  readonly #idleWaiters = new Map<string, (() => void)[]>()

  /** Runs the work and counts it for the user; without a login it is not counted. */
  async during<T>(login: string | undefined, work: () => Promise<T>): Promise<T> {
    if (login === undefined) return work()
    this.#counts.set(login, (this.#counts.get(login) ?? 0) + 1)
    try {
      return await work()
    } finally {
      this.#leave(login)
    }
  }

  /** Resolves when the user has no request in progress, or after the given milliseconds. */
  async settled(login: string, milliseconds: number): Promise<void> {
    if (!this.#counts.has(login)) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, milliseconds)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#idleWaiters.set(login, [...(this.#idleWaiters.get(login) ?? []), go])
    })
  }

  #leave(login: string): void {
    const left = (this.#counts.get(login) ?? 1) - 1
    if (left > 0) return void this.#counts.set(login, left)
    this.#counts.delete(login)
    for (const go of this.#idleWaiters.get(login) ?? []) go()
    this.#idleWaiters.delete(login)
  }
}
