import { backendWrites } from '../actors/backend-people.js'
import type { SimulatedWorld } from '../world/world.js'
import { type Action, sourceOf } from './action.js'

/** Actions of databases that tell the server of changes. */
export const databaseActions = {
  /** Restores a dump, or fails over to a replica: the log is another one, and the last changes may be lost. */
  restoreDatabase(world: SimulatedWorld) {
    const { name } = sourceOf(world)
    const lost = world.dice.below(4)
    world.note(`    the database of ${name} is restored, up to ${lost} of its last changes are lost`)
    world.backend(name).restore(lost)
  },

  /** Changes objects in a transaction that is open while others commit. */
  commitLate(world: SimulatedWorld) {
    const left = world.dice.between(2, 8)
    world.start(async () => {
      for (let step = left; step > 0; step--) await world.scheduler.delay('a transaction stays open')
      for (let count = 0; count < 3; count++) backendWrites(world)
    })
  },
} satisfies { readonly [name: string]: Action }
