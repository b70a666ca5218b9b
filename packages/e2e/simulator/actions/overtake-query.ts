import { backendWrites } from '../actors/backend-people.js'
import type { SimulatedDevice } from '../actors/device.js'
import { requestQuery } from '../actors/operator.js'
import { checkInvariants } from '../checks/invariants.js'
import type { SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { twoDevices } from './action.js'
import { revertBeforePush } from './backend-edits.js'
import { edit, update } from './edit.js'
import { sync } from './sync.js'

/** Maximum number of events to wait for a query to read. */
const MAX_EVENTS = 40

/** Changes an object from another device during the slow query that must decide a mutation in doubt of that object. */
export async function overtakeDoubt(world: SimulatedWorld): Promise<void> {
  const { dice } = world
  const { queries } = world.backend((dice.any(world.plan.sources) as SourcePlan).name)
  const [first, second] = twoDevices(world)
  if (first.isDead || second.isDead) return
  update(world, first)
  queries.isSlow = true
  queries.hasRead = false
  sync(world, first)
  for (let left = MAX_EVENTS; left > 0 && !queries.hasRead; left--) await world.run(1, () => checkInvariants(world))
  update(world, second)
  sync(world, second)
  await world.run(dice.between(10, MAX_EVENTS), () => checkInvariants(world))
  queries.isSlow = false
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
}

/** During a slow query, makes changes by devices and the backend; sometimes recreates the collection. */
export async function overtake(world: SimulatedWorld): Promise<void> {
  const { dice, servers } = world
  const collectionHistory = dice.any(world.observations.all())
  if (!collectionHistory) return
  const { collection } = collectionHistory
  const backend = world.backend(collection.source)
  await servers.retrying.collections.requestQuery(collection)
  if (dice.chance(0.3)) revertBeforePush(world)
  backend.queries.isSlow = true
  backend.queries.hasRead = false
  const [first, ...others] = world.devices as [SimulatedDevice, ...SimulatedDevice[]]
  sync(world, first)
  for (let left = MAX_EVENTS; left > 0 && !backend.queries.hasRead; left--)
    await world.run(1, () => checkInvariants(world))
  for (const device of others) {
    if (device.isDead) continue
    edit(world, device)
    sync(world, device)
  }
  if (dice.chance(0.3)) backendWrites(world)
  await world.run(dice.between(10, MAX_EVENTS), () => checkInvariants(world))
  if (dice.chance(0.15)) {
    await servers.retrying.collections.drop(collection)
    await requestQuery(world, collection)
    world.note(`    ${collection.source} ${collection.partition} is dropped`)
    sync(world, dice.any(others) ?? first)
    await world.run(MAX_EVENTS, () => checkInvariants(world))
  }
  backend.queries.isSlow = false
}
