import type { Attributes } from '@godwit/protocol'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import type { CollectionHistory } from './collection-history.js'
import { sameObject } from './device-view.js'
import { nameOf } from './sent-mutation.js'
import { Violation } from './violation.js'

/** Checks that a collection without polling equals its backend unless a query is requested; otherwise the difference would remain. */
export async function checkUnpolledCollections(world: SimulatedWorld): Promise<void> {
  for (const collectionHistory of world.observations.all()) {
    const { source, partition } = collectionHistory.collection
    const backend = world.backend(source)
    const { pollInterval, settle, passThrough } = backend.plan
    if (pollInterval >= 0 || settle > 0 || passThrough || !collectionHistory.isQueried || collectionHistory.isRequested)
      continue
    const whose = backendPartition(partition)
    if (backend.isBusy(whose)) continue
    const truth = backend.objects(whose)
    const other = [...new Set([...truth.keys(), ...collectionHistory.ids()])].find(
      id => !isStoredState(collectionHistory, id, truth.get(id)),
    )
    if (other === undefined || (await hasUnsettledCall(world, collectionHistory))) continue
    const facts = `${source} ${other} is ${JSON.stringify(truth.get(other))} in the backend; the collection had ${collectionHistory.of(other)}`
    throw new Violation('what is not due is true', facts)
  }
}

const isStoredState = (collectionHistory: CollectionHistory, id: string, truth: Attributes | undefined): boolean =>
  collectionHistory.find(id, collectionHistory.version, kept => sameObject(truth ?? null, kept)) !== undefined

/** True if the backend performed a call that no journal has settled, including decisions that a restored store runs again. */
async function hasUnsettledCall(world: SimulatedWorld, { collection }: CollectionHistory): Promise<boolean> {
  const done = new Set(world.backend(collection.source).effects.map(({ key }) => key))
  const here = world.observations
    .sent()
    .filter(sent => nameOf(sent.collection) === nameOf(collection) && done.has(sent.mutation.key))
  const entries = await world.servers.store.journal.entries(
    collection,
    here.map(({ mutation }) => mutation.key),
  )
  const states = new Map(entries.map(({ mutation, state }) => [mutation.key, state]))
  return here.some(({ outcome, mutation }) => {
    const state = states.get(mutation.key)
    return outcome === undefined ? state !== 'in_doubt' : state === 'queued' || state === 'started'
  })
}
