import type { AdminEngine } from '../admin-engine.js'
import { type CollectionPath, resolveCollection } from '../documents/resolve-collection.js'

/** Makes a partition due after the given seconds, or at the next pull; it then runs once even without polling. */
export async function setReadState(
  engine: Pick<AdminEngine, 'store' | 'sources'>,
  { seconds, ...of }: CollectionPath & { readonly seconds: number | undefined },
): Promise<void> {
  const { collections } = engine.store
  const { collection } = await resolveCollection(engine, of)
  // Opened so that a partition that was never pulled records it too.
  const { readAt } = await collections.open(collection)
  await collections.requestQuery(collection, seconds === undefined ? undefined : readAt + seconds * 1000)
}
