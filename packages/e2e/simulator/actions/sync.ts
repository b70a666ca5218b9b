import type { SimulatedDevice } from '../actors/device.js'
import type { SimulatedWorld } from '../world/world.js'

export function sync(world: SimulatedWorld, device: SimulatedDevice, source?: string): void {
  if (device.isDead) device.reopen()
  if (device.syncs > 0) return
  device.syncs++
  device.beginSync()
  device.sdk.pageSize = world.dice.between(1, 5)
  const { process } = device
  world.note(`    ${device.name} syncs ${source ?? ''}`)
  world.start(async () => {
    try {
      await Promise.race([device.sync(source), process.death])
    } finally {
      device.syncs--
      if (!process.isDead) device.noticeOwner()
    }
  })
}
