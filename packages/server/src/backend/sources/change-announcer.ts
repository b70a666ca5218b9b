import { type Log, messageOf } from '@godwit/source'
import type { CollectionId, Store } from '@godwit/store'
import { announceChange } from './channels.js'

interface CollectionChange {
  readonly collection: CollectionId
  readonly by: string | undefined
}

interface AnnouncerOptions {
  readonly store: Pick<Store, 'events'>
  readonly log: Log
}

/** Publishes change hints: one per collection for all changes in the same turn. */
export class ChangeAnnouncer {
  readonly #options: AnnouncerOptions
  readonly #unannounced = new Map<string, CollectionChange>()

  constructor(options: AnnouncerOptions) {
    this.#options = options
  }

  /** Queues a hint and returns at once; a lost hint only costs time. `by`: the client that made the change and has it. */
  announce(collection: CollectionId, by?: string): void {
    const isFirst = this.#unannounced.size === 0
    const key = JSON.stringify([collection.source, collection.partition])
    const known = this.#unannounced.get(key)
    this.#unannounced.set(key, { collection, by: known && known.by !== by ? undefined : by })
    // A microtask, so that further changes of this turn are included.
    if (isFirst) queueMicrotask(() => this.#publish())
  }

  #publish(): void {
    const { store, log } = this.#options
    const all = [...this.#unannounced.values()]
    this.#unannounced.clear()
    for (const { collection, by } of all)
      announceChange(store, collection, by).catch(error =>
        log.warn({ error: messageOf(error), source: collection.source }, 'could not announce a change'),
      )
  }
}
