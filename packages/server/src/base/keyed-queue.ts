/** Runs tasks of one key one after the other, and those of different keys at once. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs the task after the former ones of its key, and returns its result. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    const result = (async () => {
      await before?.catch(() => undefined)
      return task()
    })()
    this.#last.set(key, result)
    try {
      return await result
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
  }
}
