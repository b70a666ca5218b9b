import type { CollectionId } from '@godwit/store'
import type { Backend } from '../actors/backend.js'
import { backendPartition } from '../world/partitions.js'
import { nameOf } from './sent-mutation.js'

/** The part of a world that reports violations. */
interface ViolationReporter {
  readonly violated: (promise: string, found: string) => void
}

/** Checks that a query never restores a removed object, unless its backend changed since: the result would be outdated. */
export class Returns {
  readonly #backend: (source: string) => Backend
  /** Number of backend changes when the collection lost the object. */
  readonly #changes = new Map<string, number>()

  constructor(backend: (source: string) => Backend) {
    this.#backend = backend
  }

  readonly recordRemoved = (collection: CollectionId, object: string): void => {
    this.#changes.set(`${nameOf(collection)}/${object}`, this.#changesOf(collection))
  }

  check({ violated }: ViolationReporter, collection: CollectionId, object: string): void {
    const { source, partition } = collection
    const name = `${nameOf(collection)}/${object}`
    const isThere = this.#backend(source).objects(backendPartition(partition)).has(object)
    if (isThere || this.#changes.get(name) !== this.#changesOf(collection)) return
    violated('a query brings nothing back', `${name} was removed, and a query brought it back`)
  }

  #changesOf({ source, partition }: CollectionId): number {
    return this.#backend(source).changes(backendPartition(partition))
  }
}
