import type { CollectionId } from '@godwit/store'
import { findCollection } from '../../backend/sources/partition-of.js'
import type { DeviceEngine } from '../device-engine.js'

/** The head of a collection, for a device to compare with its own position. */
export type AnnouncedHead = {
  readonly epoch: string
  readonly head: number
}

type HeadEngine = Pick<DeviceEngine, 'store' | 'sources'>

/** Milliseconds after which a head is read again, in case a change event was lost. */
const HEAD_LIFE = 1000

/**
 * Reads the heads of collections. The head of an app source is shared between streams until a change of it is announced; a stream that joined before
 * receives that change, so no head is too old.
 */
export class HeadReader {
  readonly #engine: HeadEngine
  readonly #sharedHeads = new Map<string, Promise<AnnouncedHead | undefined>>()

  constructor(engine: HeadEngine) {
    this.#engine = engine
  }

  /** Returns the head; undefined if the collection does not exist or cannot be read now. */
  async head(collection: CollectionId): Promise<AnnouncedHead | undefined> {
    const head = await this.#engine.store.collections.head(collection).catch(() => undefined)
    return head && { epoch: head.epoch, head: head.version }
  }

  /** Returns the heads of all sources that the user's devices may pull, by source. */
  async all(login: string): Promise<{ readonly [source: string]: AnnouncedHead }> {
    const sources = this.#engine.sources.all().filter(({ syncType }) => syncType !== 'bulk_only')
    const heads = sources.map(async source => {
      const collection = findCollection(source, login)
      const head =
        collection && (await (source.partition === 'app' ? this.#sharedHead(collection) : this.head(collection)))
      return head ? [[source.name, head] as const] : []
    })
    return Object.fromEntries((await Promise.all(heads)).flat())
  }

  /** Discards the cached head after a change. */
  forget({ source }: Pick<CollectionId, 'source'>): void {
    this.#sharedHeads.delete(source)
  }

  /** Discards all cached heads, because changes may have been missed. */
  forgetAll(): void {
    this.#sharedHeads.clear()
  }

  #sharedHead(collection: CollectionId): Promise<AnnouncedHead | undefined> {
    const { source } = collection
    const known = this.#sharedHeads.get(source)
    if (known) return known
    const head = this.head(collection)
    this.#sharedHeads.set(source, head)
    const discard = (): void => {
      if (this.#sharedHeads.get(source) === head) this.#sharedHeads.delete(source)
    }
    setTimeout(discard, HEAD_LIFE).unref()
    // No event announces that a collection is opened.
    void head.then(found => found ?? discard())
    return head
  }
}
