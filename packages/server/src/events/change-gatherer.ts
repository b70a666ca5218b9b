import type { CollectionId } from '@godwit/store'

/** How long changes are gathered and who is told of them. */
export interface GatherOptions {
  /** Milliseconds that a first change waits for others: few who are told need not wait long. */
  readonly wait: (collection: CollectionId) => number
  /** Milliseconds between two times that a collection is told of: the more are told, the longer. */
  readonly gap: (collection: CollectionId) => number
  /** Tells of a collection. `by`: the client that made all of the changes and has them, if one did. */
  readonly tell: (collection: CollectionId, by: string | undefined) => void
}

interface PendingChange {
  readonly collection: CollectionId
  by: string | undefined
  isChanged: boolean
  timer: NodeJS.Timeout
}

/** Gathers the changes of each collection, so that those who listen are told of many at once: the first soon, then one in each gap. */
export class ChangeGatherer {
  readonly #options: GatherOptions
  readonly #pending = new Map<string, PendingChange>()

  constructor(options: GatherOptions) {
    this.#options = options
  }

  /** `by`: the client that made the change and has it. */
  changed(collection: CollectionId, by: string | undefined): void {
    const key = JSON.stringify([collection.source, collection.partition])
    const known = this.#pending.get(key)
    if (known) {
      known.by = known.isChanged && known.by !== by ? undefined : by
      known.isChanged = true
      return
    }
    const timer = this.#later(key, this.#options.wait(collection))
    this.#pending.set(key, { collection, by, isChanged: true, timer })
  }

  close(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer)
    this.#pending.clear()
  }

  #later(key: string, milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#end(key), milliseconds).unref()
  }

  #end(key: string): void {
    const gathering = this.#pending.get(key)
    if (!gathering?.isChanged) {
      this.#pending.delete(key)
      return
    }
    const { collection, by } = gathering
    gathering.isChanged = false
    gathering.timer = this.#later(key, this.#options.gap(collection))
    this.#options.tell(collection, by)
  }
}
