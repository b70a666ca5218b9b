import { backendWrites } from '../actors/backend-people.js'
import { checkInvariants } from '../checks/invariants.js'
import type { SimulatedWorld } from '../world/world.js'
import { sync } from './sync.js'

/** As long as the server waits between two compactions, in milliseconds: the next sweep makes one. */
const COMPACTION = 10 * 60_000

/** Everybody has heard what the backend's people changed, and old history goes; then a query shows what was before that. */
export async function compactLate(world: SimulatedWorld): Promise<void> {
  const { devices, dice, observations, servers } = world
  world.time.pass(COMPACTION)
  for (let left = dice.between(1, 3); left > 0; left--) backendWrites(world)
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
  for (const device of devices) sync(world, device)
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
  await world.pass(1, () => checkInvariants(world))
  for (const { collection } of observations.all()) await servers.retrying.collections.ask(collection)
  for (const device of devices) sync(world, device)
}
