import { hashOf } from '../actors/device-files.js'
import type { Device } from '../device.js'
import type { SourcePlan } from '../plan.js'
import type { World } from '../world.js'

/** A photo on its way into a row. */
export interface Shot {
  readonly path: string
  readonly hash: string
}

/** The app of a device takes a photo, where its model has some. */
export function shoot(world: World, device: Device, { photos }: SourcePlan, share: number): Shot | undefined {
  if (photos !== true || !world.dice.chance(share)) return undefined
  const bytes = world.photos.any(world.dice, { hasLarge: world.plan.hasLarge === true })
  return { path: device.disk.files.shoot(bytes), hash: hashOf(bytes) }
}
