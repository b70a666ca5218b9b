import type { Engine } from '../engine.js'
import { type CollectionPath, resolveCollection } from '../sources/resolve-collection.js'

/** Makes a partition due after the given seconds, or at the next pull; it then runs once even where polling is off. */
export async function setReadState(
  engine: Pick<Engine, 'store' | 'sources' | 'clock'>,
  { seconds, ...of }: CollectionPath & { readonly seconds: number | undefined },
): Promise<void> {
  const { collections } = engine.store
  const { collection } = await resolveCollection(engine, of)
  // A partition that was never pulled must remember it too.
  await collections.open(collection)
  await collections.ask(collection, seconds === undefined ? undefined : engine.clock() + seconds * 1000)
}
