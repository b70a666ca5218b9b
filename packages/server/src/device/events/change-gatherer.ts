import type { CollectionId } from '@godwit/store'

/** How long changes are collected, and how they are announced. */
export interface GatherOptions {
  /** Milliseconds to wait for further changes after the first one; short if there are few listeners. */
  readonly wait: (collection: CollectionId) => number
  /** Minimum milliseconds between two announcements of a collection; longer with more listeners. */
  readonly gap: (collection: CollectionId) => number
  /** Announces a change. `by`: the client that made all of the collected changes, which need not be notified. */
  readonly announce: (collection: CollectionId, by: string | undefined) => void
}

interface PendingChange {
  readonly collection: CollectionId
  by: string | undefined
  isChanged: boolean
  timer: NodeJS.Timeout
}

/** Collects the changes of each collection, so that listeners get one announcement for many: the first soon, then at most one per gap. */
export class ChangeGatherer {
  readonly #options: GatherOptions
  readonly #pending = new Map<string, PendingChange>()

  constructor(options: GatherOptions) {
    this.#options = options
  }

  /** Records a change. `by`: the client that made it. */
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
    this.#options.announce(collection, by)
  }
}
