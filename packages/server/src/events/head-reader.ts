import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { findCollection } from '../sources/partition-of.js'

/** Where a collection stands, as a device may compare it with what it has. */
export type AnnouncedHead = {
  readonly epoch: string
  readonly head: number
}

type HeadEngine = Pick<Engine, 'store' | 'sources'>

/** Milliseconds after which a head is read again, in case the notice of a change was lost. */
const HEAD_LIFE = 1000

/**
 * Reads where collections stand. What all users share is read once for many streams, and again after each change that is heard: a stream that
 * joined before it is told of that change, so that no head is too old.
 */
export class HeadReader {
  readonly #engine: HeadEngine
  readonly #sharedHeads = new Map<string, Promise<AnnouncedHead | undefined>>()

  constructor(engine: HeadEngine) {
    this.#engine = engine
  }

  /** Undefined where there is no collection, or it cannot be read now. */
  async head(collection: CollectionId): Promise<AnnouncedHead | undefined> {
    const head = await this.#engine.store.collections.head(collection).catch(() => undefined)
    return head && { epoch: head.epoch, head: head.version }
  }

  /** Of all sources that a user's devices may pull. */
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

  /** A collection changed. */
  forget({ source }: Pick<CollectionId, 'source'>): void {
    this.#sharedHeads.delete(source)
  }

  /** Changes may have been missed. */
  forgetAll(): void {
    this.#sharedHeads.clear()
  }

  #sharedHead(collection: CollectionId): Promise<AnnouncedHead | undefined> {
    const { source } = collection
    const known = this.#sharedHeads.get(source)
    if (known) return known
    const head = this.head(collection)
    this.#sharedHeads.set(source, head)
    setTimeout(() => {
      if (this.#sharedHeads.get(source) === head) this.#sharedHeads.delete(source)
    }, HEAD_LIFE).unref()
    return head
  }
}
