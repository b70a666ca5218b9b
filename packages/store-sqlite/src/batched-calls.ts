import type { CollectionId } from '@godwit/store'

type RunBatch<Given, Result> = (collection: CollectionId, all: readonly Given[]) => Promise<readonly Result[]>

interface PendingCall<Given, Result> {
  readonly given: Given
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Batches simultaneous calls for one collection into one step, which reads and writes shared rows once. If a batch fails, each call runs separately,
 * so that an error affects only its call.
 */
export class BatchedCalls<Given, Result> {
  readonly #run: RunBatch<Given, Result>
  readonly #pendingCalls = new Map<string, PendingCall<Given, Result>[]>()

  constructor(run: RunBatch<Given, Result>) {
    this.#run = run
  }

  ask(collection: CollectionId, given: Given): Promise<Result> {
    const name = JSON.stringify([collection.source, collection.partition])
    return new Promise((resolve, reject) => {
      const one = { given, resolve, reject }
      const others = this.#pendingCalls.get(name)
      if (others) others.push(one)
      else {
        const all = [one]
        this.#pendingCalls.set(name, all)
        // Callers that resume at the same time are a few promises behind, and call before this microtask runs.
        queueMicrotask(() => {
          this.#pendingCalls.delete(name)
          this.#begin(collection, all)
        })
      }
    })
  }

  #begin(collection: CollectionId, all: readonly PendingCall<Given, Result>[]): void {
    this.#runAll(collection, all).catch(error => {
      if (all.length === 1) all[0]?.reject(error)
      else for (const one of all) this.#runAll(collection, [one]).catch(one.reject)
    })
  }

  async #runAll(collection: CollectionId, all: readonly PendingCall<Given, Result>[]): Promise<void> {
    const results = await this.#run(
      collection,
      all.map(({ given }) => given),
    )
    for (const [index, { resolve }] of all.entries()) resolve(results[index] as Result)
  }
}
