import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'

const PAGE = 200
const STEP = 1000

/** Removes the tombstones that no device needs any more: those below every position seen lately. */
export async function compactAll({ store, clock, limits, stopping }: Engine): Promise<void> {
  const oldest = clock() - limits.readerLife * 1000
  for (let after: CollectionId | undefined; !stopping.aborted; ) {
    const page = await store.collections.collections({ after, limit: PAGE })
    for (const collection of page) {
      const head = await store.collections.head(collection)
      const readers = await store.collections.readers(collection)
      const bases = readers.filter(({ at }) => at >= oldest).map(({ base }) => base)
      const below = Math.min(head?.version ?? 0, ...bases)
      if (head === undefined || below <= head.floor) continue
      for (let more = true; more && !stopping.aborted; ) {
        more = (await store.collections.compact(collection, { below, limit: STEP })).more
      }
    }
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}
