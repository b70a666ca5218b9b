import { backendWrites, performBackendEdit, publish } from '../actors/backend-people.js'
import { checkInvariants } from '../checks/invariants.js'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf } from './action.js'
import { sync } from './sync.js'

/** Interval of compactions in milliseconds; after it has passed, the next sweep compacts. */
const COMPACTION = 10 * 60_000

/** Makes all devices receive changes of the backend, compacts the history, and then runs a query that may return an older state. */
export async function compactLate(world: SimulatedWorld): Promise<void> {
  const { devices, dice, observations, servers } = world
  world.time.pass(COMPACTION)
  for (let left = dice.between(1, 3); left > 0; left--) backendWrites(world)
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
  for (const device of devices) sync(world, device)
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
  await world.pass(1, () => checkInvariants(world))
  for (const { collection } of observations.all()) await servers.retrying.collections.requestQuery(collection)
  for (const device of devices) sync(world, device)
}

/** Maximum number of events to wait for a query to read. */
const MAX_EVENTS = 40

/** During a slow query, removes an object that the query has read, pushes the removal, and compacts the tombstone. */
export async function compactDuringQuery(world: SimulatedWorld): Promise<void> {
  const { dice, servers } = world
  const collectionHistory = dice.any(world.observations.all())
  if (!collectionHistory) return
  const { collection } = collectionHistory
  const backend = world.backend(collection.source)
  const { queries } = backend
  const whose = backendPartition(collection.partition)
  const { collections } = servers.retrying
  await collections.requestQuery(collection)
  queries.isSlow = true
  queries.hasRead = false
  sync(world, deviceOf(world))
  for (let left = MAX_EVENTS; left > 0 && !queries.hasRead; left--) await world.run(1, () => checkInvariants(world))
  const object = dice.any([...backend.objects(whose).keys()])
  if (object !== undefined)
    publish(world, backend, whose, object, () => performBackendEdit(world, backend, whose, object, null))
  await world.run(dice.between(5, MAX_EVENTS), () => checkInvariants(world))
  const { version = 0 } = (await collections.head(collection)) ?? {}
  await collections.compact(collection, { below: version, limit: 50 })
  world.note(`    the floor of ${collection.source} rises to ${version}`)
  queries.isSlow = false
}
