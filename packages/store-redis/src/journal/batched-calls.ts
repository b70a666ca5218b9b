import type { CollectionId } from '@godwit/store'
import { collectionName } from '../names.js'

interface PendingCall<Given, Answer> {
  readonly given: Given
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

/** Runs a batch: processes as many of the calls as fit, in order and at least one, and returns their answers. */
export type RunBatch<Given, Answer> = (collection: CollectionId, given: readonly Given[]) => Promise<readonly Answer[]>

/** Limits of one step: mutations, and characters of their arguments. */
const MAX_CALLS = 50
const LENGTH = 65_536

/** Batches calls for one collection within a turn of the event loop. An error rejects the calls of its step, and no others. */
export class BatchedCalls<Given, Answer> {
  readonly #step: RunBatch<Given, Answer>
  readonly #lengthOf: (given: Given) => number
  readonly #pendingCalls = new Map<string, PendingCall<Given, Answer>[]>()

  constructor(step: RunBatch<Given, Answer>, lengthOf: (given: Given) => number) {
    this.#step = step
    this.#lengthOf = lengthOf
  }

  ask(collection: CollectionId, given: Given): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const name = collectionName(collection)
      const one = { given, resolve, reject }
      const requested = this.#pendingCalls.get(name)
      if (requested) return void requested.push(one)
      this.#pendingCalls.set(name, [one])
      // Runs after the pending microtasks of this turn, and before the connection writes its commands.
      queueMicrotask(() => process.nextTick(() => this.#begin(collection, name)))
    })
  }

  #begin(collection: CollectionId, name: string): void {
    const all = this.#pendingCalls.get(name) ?? []
    this.#pendingCalls.delete(name)
    void this.#run(collection, all)
  }

  async #run(collection: CollectionId, all: readonly PendingCall<Given, Answer>[]): Promise<void> {
    for (let done = 0; done < all.length; ) {
      const some = this.#first(all, done)
      try {
        const given = some.map(one => one.given)
        const answers = await this.#step(collection, given)
        for (const [index, answer] of answers.entries()) some[index]?.resolve(answer)
        done += answers.length
      } catch (error) {
        for (const { reject } of some) reject(error)
        done += some.length
      }
    }
  }

  /** Returns the calls of the next step, within the limits. */
  #first(all: readonly PendingCall<Given, Answer>[], from: number): readonly PendingCall<Given, Answer>[] {
    let end = from
    for (let length = 0; end < Math.min(all.length, from + MAX_CALLS); end++) {
      length += this.#lengthOf((all[end] as PendingCall<Given, Answer>).given)
      if (length > LENGTH && end > from) break
    }
    return all.slice(from, end)
  }
}
