import type { CollectionId } from '@godwit/store'
import type { DeviceEngine } from '../device-engine.js'

const PAGE = 200
const BATCHES_PER_STEP = 1000

/**
 * Removes commits beyond the history, and tombstones that no device needs: below every recent position, and old enough that a query shows their time
 * (`settle`).
 */
export async function compactAll({ store, sources, limits, stopping }: DeviceEngine): Promise<void> {
  for (let after: CollectionId | undefined; !stopping.aborted; ) {
    const page = await store.collections.collections({ after, limit: PAGE })
    for (const collection of page) {
      await store.collections.forgetHistory(collection)
      const head = await store.collections.head(collection)
      if (head === undefined) continue
      const oldest = head.readAt - limits.readerLife * 1000
      const readers = await store.collections.readers(collection)
      const bases = readers.filter(({ at }) => at >= oldest).map(({ base }) => base)
      const settle = sources.find(collection.source)?.settle ?? 0
      const settled = await store.collections.versionAt(collection, head.readAt - settle * 1000)
      const below = Math.min(head.version, settled, ...bases)
      if (below <= head.floor) continue
      for (let more = true; more && !stopping.aborted; ) {
        more = (await store.collections.compact(collection, { below, limit: BATCHES_PER_STEP })).more
      }
    }
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}
