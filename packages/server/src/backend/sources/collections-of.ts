import type { CollectionId, Store } from '@godwit/store'

const PAGE = 500

/** Yields the collections of a source, page by page. */
export async function* collectionPagesOf(
  { collections }: Pick<Store, 'collections'>,
  source: string,
): AsyncGenerator<readonly CollectionId[]> {
  for (let after: CollectionId | undefined; ; ) {
    const page = await collections.collections({ source, after, limit: PAGE })
    yield page
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}

/** Yields the collections with removals that were held back, page by page. */
export async function* pendingPages({
  collections,
}: Pick<Store, 'collections'>): AsyncGenerator<readonly CollectionId[]> {
  for (let after: CollectionId | undefined; ; ) {
    const page = await collections.withPendingRemovals({ after, limit: PAGE })
    yield page
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}

/** Yields the collections of a source. */
export async function* collectionsOf(store: Pick<Store, 'collections'>, source: string): AsyncGenerator<CollectionId> {
  for await (const page of collectionPagesOf(store, source)) yield* page
}
