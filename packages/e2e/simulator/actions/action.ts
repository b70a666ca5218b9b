import { backendWrites } from '../actors/backend-people.js'
import type { Device } from '../actors/device.js'
import { look } from '../checks/invariants.js'
import type { SourcePlan } from '../world/plan.js'
import type { World } from '../world/world.js'
import { sync } from './sync.js'

/** What one step does; what follows from it happens afterwards. */
export type Action = (world: World) => void | Promise<void>

export const deviceOf = ({ dice, devices }: World): Device => dice.any(devices) as Device
/** Where there is one alone, it twice. */
export function twoDevices({ dice, devices }: World): readonly [Device, Device] {
  const device = dice.any(devices) as Device
  return [device, dice.any(devices.filter(one => one !== device)) ?? device]
}

export const sourceOf = ({ dice, plan }: World): SourcePlan => dice.any(plan.sources) as SourcePlan

/** Passes that are under way when a floor rises or another process begins one. */
export async function beginSyncs(world: World, devices = world.devices): Promise<void> {
  for (const device of devices) sync(world, device)
  await world.run(world.dice.between(5, 60), () => look(world))
  for (let left = world.dice.below(4); left > 0; left--) backendWrites(world)
}
