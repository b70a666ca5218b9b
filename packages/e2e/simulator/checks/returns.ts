import type { CollectionId } from '@godwit/store'
import type { Backend } from '../actors/backend.js'
import { backendPartition } from '../world/partitions.js'
import { nameOf } from './sent-mutation.js'

/** The part of a world that reports violations. */
interface ViolationReporter {
  readonly violated: (promise: string, found: string) => void
}

/** What the backend had done when a collection lost an object. */
interface Removal {
  /** Number of changes of the partition. */
  readonly changes: number
  /** Number of delayed queries that had shown the object. */
  readonly shownLate: number
}

/**
 * Checks that a query never restores a removed object, unless its backend changed since, in which case the result would be outdated, or itself
 * showed a state from before the removal.
 */
export class Returns {
  readonly #backend: (source: string) => Backend
  readonly #removals = new Map<string, Removal>()

  constructor(backend: (source: string) => Backend) {
    this.#backend = backend
  }

  readonly noteRemoved = (collection: CollectionId, object: string): void => {
    this.#removals.set(`${nameOf(collection)}/${object}`, this.#present(collection, object))
  }

  check({ violated }: ViolationReporter, collection: CollectionId, object: string): void {
    const { source, partition } = collection
    const name = `${nameOf(collection)}/${object}`
    const isThere = this.#backend(source).objects(backendPartition(partition)).has(object)
    const removal = this.#removals.get(name)
    const { changes, shownLate } = this.#present(collection, object)
    if (isThere || removal?.changes !== changes || removal.shownLate !== shownLate) return
    violated('a query brings nothing back', `${name} was removed, and a query brought it back`)
  }

  #present({ source, partition }: CollectionId, object: string): Removal {
    const [backend, from] = [this.#backend(source), backendPartition(partition)]
    return { changes: backend.changes(from), shownLate: backend.shownLate(from, object) }
  }
}
