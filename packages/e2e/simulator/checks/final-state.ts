import type { Attributes } from '@godwit/protocol'
import { Checksum } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { SimulatedDevice } from '../actors/device.js'
import type { Edit } from '../actors/edit.js'
import { comparedAttributes } from '../actors/models.js'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import { rowsOf, sameObject } from './device-view.js'
import { mutationsOf } from './edits-of.js'
import { nameOf } from './sent-mutation.js'
import { Violation } from './violation.js'

/** Checks that no change of the device is undecided. */
export function checkNothingUndecided(device: SimulatedDevice, { observations }: SimulatedWorld): void {
  const [change] = device.sdk.changes()
  if (!change) return
  const sent = observations.sent().filter(({ mutation }) => mutation.object === change.object)
  throw new Violation(
    'everything is decided in the end',
    `${device.name} still has ${JSON.stringify(change)}, sent ${JSON.stringify(sent)}`,
  )
}

/** Checks that count and checksum match the objects, and that the journal is empty. */
export async function checkCollections({ servers, observations }: SimulatedWorld): Promise<void> {
  for (const { collection } of observations.all()) {
    const { collections } = servers.store
    const head = await collections.head(collection)
    if (!head) continue
    const { rows } = await collections.list(collection, { limit: 100_000 })
    const sum = new Checksum()
    for (const { id, version } of rows) sum.add(id, version)
    if (rows.length !== head.count || sum.toString() !== head.checksum)
      throw new Violation(
        'the store adds up',
        `${nameOf(collection)} has ${rows.length} objects, ${sum}; it says ${head.count}, ${head.checksum}`,
      )
  }
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    const [entry] = await servers.store.journal.undecided({ state, limit: 1 })
    if (entry) throw new Violation('everything is decided in the end', `the journal still has ${JSON.stringify(entry)}`)
  }
}

/** Checks that device, collection and backend are equal; of pass-through objects the collection has only the ids. */
export function checkReplicasEqual(world: SimulatedWorld, device: SimulatedDevice, source: string): void {
  const plan = world.plan.sources.find(({ name }) => name === source) as SimulatedWorld['plan']['sources'][number]
  if (device.owner === null) return
  const collection: CollectionId = device.collection(source)
  const backend = world.backend(source).objects(backendPartition(collection.partition))
  const rows = rowsOf(device, plan)
  const names = comparedAttributes(plan, device.schemaVersion)
  const collectionHistory = world.observations.of(collection)
  for (const id of new Set([...rows.keys(), ...backend.keys(), ...collectionHistory.ids()])) {
    const [displayed, truth] = [rows.get(id) ?? null, backend.get(id) ?? null]
    world.counts.add('rows compared')
    if (displayed !== null && !device.edits.some(edit => edit.model === source && edit.object === id))
      world.counts.add('rows compared on a device that did not write them')
    if (isTrueSearchResult(world, device, source, id, displayed)) continue
    const isSame = (attributes: Attributes | null) =>
      plan.passThrough ? isDigestOf(truth, attributes) : sameObject(truth, attributes)
    const isKept = collectionHistory.find(id, collectionHistory.version, isSame) !== undefined
    if ((!isKept && (truth !== null || collectionHistory.ids().includes(id))) || !sameObject(displayed, truth, names)) {
      const facts = `${source} ${id} is ${JSON.stringify(truth)} in the backend, ${JSON.stringify(displayed)} on ${device.name}; the collection had ${collectionHistory.of(id)}`
      throw new Violation('in the end everybody holds the same', facts)
    }
  }
}

/**
 * Whether a search result shows a state that its backend had, with the changes that the device made since; what others change, or remove, comes
 * with the next search.
 */
function isTrueSearchResult(
  world: SimulatedWorld,
  device: SimulatedDevice,
  source: string,
  id: string,
  displayed: Attributes | null,
): boolean {
  const states = world.backend(source).statesOfMore(id)
  if (states === undefined)
    return (
      device.found(source).has(id) && displayed !== null && !world.observations.of(device.collection(source)).has(id)
    )
  if (displayed === null || states.some(state => sameObject(state, displayed))) return true
  const own = appliedUpdates(world, device, source, id)
  if (
    states.some(
      state => state !== null && own.some((_, first) => sameObject(mergeOver(state, own.slice(first)), displayed)),
    )
  )
    return true
  throw new Violation(
    'a search finds what there is',
    `${device.name} shows ${source} ${id} as ${JSON.stringify(displayed)}, it was ${JSON.stringify(states)}`,
  )
}

/** Returns the device's own updates of an object that were applied, in order. */
const appliedUpdates = (
  world: SimulatedWorld,
  device: SimulatedDevice,
  source: string,
  id: string,
): readonly Edit['values'][] =>
  device.edits
    .filter(({ model, object, operation }) => model === source && object === id && operation === 'update')
    .filter(edit => mutationsOf(world, device, edit).some(({ outcome }) => outcome?.status === 'applied'))
    .map(({ values }) => values)

const mergeOver = (state: Attributes, updates: readonly Edit['values'][]): Attributes =>
  Object.assign({}, state, ...updates)

const isDigestOf = (truth: Attributes | null, kept: Attributes | null): boolean =>
  truth === null || kept === null ? truth === kept : Object.keys(kept).join() === 'digest'

/** Checks that every reference to an object created by a device uses the backend's id. */
export function checkNoTemporaryIds(world: SimulatedWorld): void {
  for (const backend of world.backends.values()) {
    for (const partition of backend.partitions()) {
      for (const [id, { owner, parent }] of backend.objects(partition)) {
        for (const name of [owner, parent]) {
          // Real ids begin with the name of their source, temporary ones with a digit.
          if (typeof name === 'string' && /^\d/.test(name))
            throw new Violation('temporary ids become real ones', `${backend.plan.name} ${id} names ${name}`)
        }
      }
    }
  }
}
