import { backendWrites } from '../actors/backend-people.js'
import type { SimulatedDevice } from '../actors/device.js'
import { checkInvariants } from '../checks/invariants.js'
import type { SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { sync } from './sync.js'

/** The action of one step. Its effects may follow in later events. */
export type Action = (world: SimulatedWorld) => void | Promise<void>

export const deviceOf = ({ dice, devices }: SimulatedWorld): SimulatedDevice => dice.any(devices) as SimulatedDevice
/** Returns two devices, or the only one twice. */
export function twoDevices({ dice, devices }: SimulatedWorld): readonly [SimulatedDevice, SimulatedDevice] {
  const device = dice.any(devices) as SimulatedDevice
  return [device, dice.any(devices.filter(one => one !== device)) ?? device]
}

export const sourceOf = ({ dice, plan }: SimulatedWorld): SourcePlan => dice.any(plan.sources) as SourcePlan

/** Starts syncs, runs some events, and sometimes changes objects in the backend, so that passes are still running. */
export async function beginSyncs(world: SimulatedWorld, devices = world.devices): Promise<void> {
  for (const device of devices) sync(world, device)
  await world.run(world.dice.between(5, 60), () => checkInvariants(world))
  for (let left = world.dice.below(4); left > 0; left--) backendWrites(world)
}
