import { Violation } from '../violation.js'
import type { World } from '../world.js'

/** Of a source that passes through, neither its collection nor its journal has any content. */
export async function nothingIsKept({ records, servers, plan }: World): Promise<void> {
  const passing = new Set(plan.sources.flatMap(({ name, passThrough }) => (passThrough ? [name] : [])))
  if (passing.size === 0) return
  for (const chronicle of records.all()) {
    if (!passing.has(chronicle.collection.source)) continue
    const kept = chronicle.contents().find(attributes => Object.keys(attributes).join() !== 'digest')
    if (kept) throw new Violation('what passes through is not kept', JSON.stringify([chronicle.collection, kept]))
  }
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    for (const { collection, mutation } of await servers.store.journal.undecided({ state, limit: 1000 }))
      if (passing.has(collection.source) && (mutation.attributes ?? mutation.was) !== undefined)
        throw new Violation('what passes through is not kept', `the journal has ${JSON.stringify(mutation)}`)
  }
}

/** What only a search finds enters no collection. */
export function nothingFoundIsKept(world: World): void {
  for (const chronicle of world.records.all()) {
    const backend = world.backend(chronicle.collection.source)
    if (backend.plan.hasMore !== true) continue
    const kept = chronicle.ids().find(id => backend.statesOfMore(id) !== undefined && chronicle.has(id))
    if (kept === undefined) continue
    throw new Violation('what is found is not kept', `${chronicle.collection.source} ${kept}: ${chronicle.of(kept)}`)
  }
}
