import { bringUp } from '../checks/by-itself.js'
import { deviceOf } from '../deed.js'
import type { World } from '../world.js'

/** What people do with devices that sync by themselves. */
export const actionsByThemselves = {
  bringUp(world: World) {
    bringUp(world, deviceOf(world))
  },
}
