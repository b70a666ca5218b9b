import { startApp } from '../checks/by-itself.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf } from './action.js'

/** What people do with devices that sync by themselves. */
export const automaticActions = {
  bringUp(world: SimulatedWorld) {
    startApp(world, deviceOf(world))
  },
}
