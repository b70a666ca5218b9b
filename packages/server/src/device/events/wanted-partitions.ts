import type { CollectionId } from '@godwit/store'

const keyOf = ({ source, partition }: CollectionId): string => JSON.stringify([source, partition])

/** Which clients with open event streams hold which partitions of sources with `by`. */
export class WantedPartitions {
  readonly #clients = new Map<string, Map<string, CollectionId>>()
  readonly #partitions = new Map<string, Set<string>>()

  /** Adds partitions that a client holds. */
  add(client: string, collections: readonly CollectionId[]): void {
    const own = this.#clients.get(client) ?? new Map<string, CollectionId>()
    this.#clients.set(client, own)
    for (const { source, partition } of collections) {
      const key = keyOf({ source, partition })
      own.set(key, { source, partition })
      const clients = this.#partitions.get(key)
      if (clients) clients.add(client)
      else this.#partitions.set(key, new Set([client]))
    }
  }

  /** Forgets a client without open streams. */
  forget(client: string): void {
    for (const key of this.#clients.get(client)?.keys() ?? []) {
      const clients = this.#partitions.get(key)
      clients?.delete(client)
      if (clients?.size === 0) this.#partitions.delete(key)
    }
    this.#clients.delete(client)
  }

  /** Returns the partitions that a client holds. */
  of(client: string): readonly CollectionId[] {
    return [...(this.#clients.get(client)?.values() ?? [])]
  }

  /** Returns the clients that hold a partition. */
  clientsOf(collection: CollectionId): ReadonlySet<string> {
    return this.#partitions.get(keyOf(collection)) ?? NONE
  }
}

const NONE: ReadonlySet<string> = new Set()
