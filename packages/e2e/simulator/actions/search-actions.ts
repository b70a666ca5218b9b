import { VALUES } from '../actors/models.js'
import { LOGINS } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf, sourceOf } from './action.js'

/** Actions with searches and their results. */
export const searchActions = {
  /** Creates, changes or removes an object of the backend that only searches find. */
  writeMore(world: SimulatedWorld) {
    const { dice } = world
    const { name, partition, hasMore } = sourceOf(world)
    if (hasMore !== true) return
    const backend = world.backend(name)
    const whose = partition === 'app' ? '*' : (dice.any(LOGINS) as string)
    const known = dice.any([...backend.more(whose)])
    const attribute = dice.any(VALUES) as string
    if (known === undefined || dice.chance(0.5))
      backend.writeMore(whose, `${name}-more-${world.newValue('')}`, { mark: world.newValue('m') })
    else
      backend.writeMore(
        whose,
        known[0],
        dice.chance(0.3) ? null : { ...known[1], [attribute]: world.newValue(attribute) },
      )
  },

  search(world: SimulatedWorld) {
    const device = deviceOf(world)
    if (device.isDead || device.syncs > 0 || !device.sdk.isLoggedIn()) return
    const offset = world.dice.chance(0.8) ? 0 : world.dice.below(3)
    const { process, sdk } = device
    world.note(`    ${device.name} searches from ${offset} on`)
    // A process may die after it stored a result that it never reported.
    for (const { name, partition } of world.plan.sources) {
      const whose = partition === 'app' ? '*' : String(device.owner)
      for (const id of world.backend(name).objects(whose).keys()) device.found(name).add(id)
    }
    world.start(async () => {
      const { sources } = await Promise.race([
        sdk.search({ search: 'all', offset, max_results: world.dice.between(1, 6) }),
        process.death.then(() => ({ sources: [] })),
      ])
      for (const { source, objects } of sources) for (const object of objects) device.found(source).add(object)
    })
  },
}
