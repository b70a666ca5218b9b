import { Device } from './device.js'
import type { Dice } from './dice.js'
import type { World } from './world.js'

/** The devices of a plan, each with its first user. */
export function devicesOf(world: World, ids: Dice): readonly Device[] {
  const { plan, network, time, agenda } = world
  const parts = {
    plan,
    network,
    clock: time.now,
    ids,
    note: (text: string) => world.note(text),
    stir: () => agenda.stir(),
  }
  return plan.devices.map((login, at) => new Device(`device ${at + 1}`, login, parts))
}
