import type { SimulatedDevice } from '../actors/device.js'
import { requestQuery } from '../actors/operator.js'
import { checkInvariants } from '../checks/invariants.js'
import type { StoreCopy } from '../world/store-disk.js'
import type { SimulatedWorld } from '../world/world.js'
import { edit } from './edit.js'
import { sync } from './sync.js'

/** Restores an older state of the store, with new epochs or as a plain file. */
export async function restoreStore(
  world: SimulatedWorld,
  copy: StoreCopy,
  { renewed }: { readonly renewed: boolean },
): Promise<void> {
  // A restore would lose the reset that repairs a damaged device.
  if (world.devices.some(({ damaged }) => damaged.size > 0)) return
  world.note(renewed ? '    in new epochs' : '    as a file')
  await world.servers.restore(copy, { renewed })
  world.observations.rewind({ forgets: !renewed })
  if (!renewed) for (const backend of world.backends.values()) backend.forgetCalls()
  for (const { collection } of world.observations.all()) await requestQuery(world, collection)
}

/** Copies the store while a device's changes are in transit, and restores the file after the device has received one of the outcomes. */
export async function rewind(world: SimulatedWorld): Promise<void> {
  const { dice } = world
  const device = dice.any(world.devices) as SimulatedDevice
  if (device.isDead) return
  for (let left = dice.between(1, 3); left > 0; left--) edit(world, device)
  sync(world, device)
  await world.run(dice.below(30), () => checkInvariants(world))
  const copy = await world.storeDisk.backUp()
  const waiting = countPendingEdits(device)
  for (let left = 60; left > 0 && countPendingEdits(device) === waiting; left--)
    await world.run(1, () => checkInvariants(world))
  if (copy) await restoreStore(world, copy, { renewed: false })
}

const countPendingEdits = ({ edits }: SimulatedDevice): number =>
  edits.filter(({ status }) => status === 'pending').length
