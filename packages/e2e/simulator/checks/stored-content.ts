import type { SimulatedWorld } from '../world/world.js'
import { Violation } from './violation.js'

/** Checks that neither collection nor journal of a pass-through source has content. */
export async function checkPassThroughStoresNothing({ observations, servers, plan }: SimulatedWorld): Promise<void> {
  const passing = new Set(plan.sources.flatMap(({ name, passThrough }) => (passThrough ? [name] : [])))
  if (passing.size === 0) return
  for (const collectionHistory of observations.all()) {
    if (!passing.has(collectionHistory.collection.source)) continue
    const kept = collectionHistory.contents().find(attributes => Object.keys(attributes).join() !== 'digest')
    if (kept)
      throw new Violation('what passes through is not kept', JSON.stringify([collectionHistory.collection, kept]))
  }
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    for (const { collection, mutation } of await servers.store.journal.undecided({ state, limit: 1000 }))
      if (passing.has(collection.source) && (mutation.attributes ?? mutation.was) !== undefined)
        throw new Violation('what passes through is not kept', `the journal has ${JSON.stringify(mutation)}`)
  }
}

/** Checks that search results enter no collection. */
export function checkSearchResultsNotStored(world: SimulatedWorld): void {
  for (const collectionHistory of world.observations.all()) {
    const backend = world.backend(collectionHistory.collection.source)
    if (backend.plan.hasMore !== true) continue
    const kept = collectionHistory.ids().find(id => backend.statesOfMore(id) !== undefined && collectionHistory.has(id))
    if (kept === undefined) continue
    throw new Violation(
      'what is found is not kept',
      `${collectionHistory.collection.source} ${kept}: ${collectionHistory.of(kept)}`,
    )
  }
}
