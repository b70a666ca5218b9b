interface Asked<Given, Result> {
  readonly given: Given
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Runs what is asked for at the same time as one step, which reads and writes once what is the same for all of it.
 * If that fails each runs for itself, so that one takes no other along.
 */
export class Together<Given, Result> {
  readonly #run: (given: readonly Given[]) => Promise<readonly Result[]>
  #asked: Asked<Given, Result>[] = []

  constructor(run: (given: readonly Given[]) => Promise<readonly Result[]>) {
    this.#run = run
  }

  ask(given: Given): Promise<Result> {
    return new Promise((resolve, reject) => {
      // Whoever goes on with the caller is a few promises behind it, and asks before this comes to its turn.
      if (this.#asked.push({ given, resolve, reject }) === 1) queueMicrotask(() => this.#begin())
    })
  }

  #begin(): void {
    const all = this.#asked
    this.#asked = []
    this.#runAll(all).catch(error => {
      if (all.length === 1) all[0]?.reject(error)
      else for (const one of all) this.#runAll([one]).catch(one.reject)
    })
  }

  async #runAll(all: readonly Asked<Given, Result>[]): Promise<void> {
    const results = await this.#run(all.map(({ given }) => given))
    for (const [index, { resolve }] of all.entries()) resolve(results[index] as Result)
  }
}
