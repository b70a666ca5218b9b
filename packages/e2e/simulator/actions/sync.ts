import type { SimulatedDevice } from '../actors/device.js'
import type { SimulatedWorld } from '../world/world.js'

export function sync(world: SimulatedWorld, device: SimulatedDevice, source?: string): void {
  if (device.isDead) device.reopen()
  if (device.syncs > 0) return
  device.syncs++
  device.beginSync()
  drawPageSize(world, device)
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

/** Draws how many rows a page has. Histories about bulk data load as a file what is larger than a page. */
export function drawPageSize({ dice, plan }: SimulatedWorld, { sdk }: SimulatedDevice): void {
  sdk.pageSize = dice.between(1, 5)
  if (plan.theme === 'bulk') sdk.bulkThreshold = sdk.pageSize
}
