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

/** Draws the number of rows per page. With the theme `bulk`, larger results are loaded as a file. */
export function drawPageSize({ dice, plan }: SimulatedWorld, { sdk }: SimulatedDevice): void {
  sdk.pageSize = dice.between(1, 5)
  if (plan.theme === 'bulk') sdk.bulkThreshold = sdk.pageSize
}
