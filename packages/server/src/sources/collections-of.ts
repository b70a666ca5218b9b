import type { CollectionId, Store } from '@godwit/store'

const PAGE = 500

/** Every collection that a source has. */
export async function* collectionsOf({ collections }: Store, source: string): AsyncGenerator<CollectionId> {
  for (let after: CollectionId | undefined; ; ) {
    const page = await collections.collections({ source, after, limit: PAGE })
    yield* page
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}
