import { bringUp } from '../checks/by-itself.js'
import type { World } from '../world/world.js'
import { deviceOf } from './action.js'

/** What people do with devices that sync by themselves. */
export const automaticActions = {
  bringUp(world: World) {
    bringUp(world, deviceOf(world))
  },
}
