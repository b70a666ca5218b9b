import type { CollectionId } from '@godwit/store'
import { requestQuery } from '../actors/operator.js'
import { checkInvariants } from '../checks/invariants.js'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import { twoDevices } from './action.js'
import { emptyDevice } from './device-actions.js'
import { edit } from './edit.js'
import { sync } from './sync.js'

/** Maximum number of events to wait for the operation to begin. */
const MAX_EVENTS = 40

/** Recreates a collection during a call and empties the calling device, so that the result is not stored and the change not sent again. */
export async function dropDuringCall(world: SimulatedWorld): Promise<void> {
  const { dice } = world
  const [device, other] = twoDevices(world)
  const source = dice.any(world.plan.sources)
  if (source === undefined || device.isDead || device.owner === null) return
  for (let left = dice.between(1, 2); left > 0; left--) edit(world, device)
  sync(world, device)
  const collection = device.collection(source.name)
  const backend = world.backend(source.name)
  const whose = backendPartition(collection.partition)
  for (let left = MAX_EVENTS; left > 0 && !backend.isBusy(whose); left--)
    await world.run(1, () => checkInvariants(world))
  if (!backend.isBusy(whose)) return
  await dropCollection(world, collection)
  emptyDevice(world, device)
  sync(world, other)
  await world.run(dice.between(5, MAX_EVENTS), () => checkInvariants(world))
}

/** Recreates a collection during its query, while an empty device waits for the next query. */
export async function dropDuringQuery(world: SimulatedWorld): Promise<void> {
  const { dice, observations, servers } = world
  const [device, other] = twoDevices(world)
  const collectionHistory = dice.any(observations.all())
  if (!collectionHistory) return
  const { collection } = collectionHistory
  const { queries } = world.backend(collection.source)
  await servers.retrying.collections.requestQuery(collection)
  queries.isSlow = true
  queries.hasRead = false
  sync(world, other)
  for (let left = MAX_EVENTS; left > 0 && !queries.hasRead; left--) await world.run(1, () => checkInvariants(world))
  await dropCollection(world, collection)
  emptyDevice(world, device)
  sync(world, device)
  await world.run(dice.between(5, MAX_EVENTS), () => checkInvariants(world))
  queries.isSlow = false
}

async function dropCollection(world: SimulatedWorld, collection: CollectionId): Promise<void> {
  await world.servers.retrying.collections.drop(collection)
  await requestQuery(world, collection)
  world.note(`    ${collection.source} ${collection.partition} is dropped`)
}
