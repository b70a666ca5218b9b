import { backendWrites } from '../actors/backend-people.js'
import { decideDoubts, requestQuery } from '../actors/operator.js'
import { pushStates } from '../actors/plugin.js'
import { checkInvariants } from '../checks/invariants.js'
import type { SimulatedWorld } from '../world/world.js'
import { type Action, beginSyncs, deviceOf, sourceOf } from './action.js'
import { restoreStore } from './restore-store.js'
import { sync } from './sync.js'

/** Actions of servers, their store and their backends. */
export const serverActions = {
  backend(world: SimulatedWorld) {
    for (let left = world.dice.between(1, 3); left > 0; left--) backendWrites(world)
  },

  plugin(world: SimulatedWorld) {
    const backend = world.backend(sourceOf(world).name)
    const partition = world.dice.any(backend.partitions())
    if (partition === undefined) return
    world.start(() =>
      backend.telling(partition, () =>
        pushStates(world, backend, partition, [...backend.objects(partition).keys()].slice(-3)),
      ),
    )
  },

  async wait(world: SimulatedWorld) {
    world.time.pass(world.dice.between(1, 15_000))
  },

  longWait(world: SimulatedWorld) {
    world.time.pass(world.dice.between(20_000, 11 * 60_000))
  },

  killServer(world: SimulatedWorld) {
    if (world.dice.chance(0.3)) world.servers.crash()
    else world.servers.crashAt({ left: world.dice.below(12), edge: world.dice.chance(0.5) ? 'before' : 'after' })
    sync(world, deviceOf(world))
  },

  async compact(world: SimulatedWorld) {
    if (world.plan.theme === 'floors') await beginSyncs(world)
    const collectionHistory = world.dice.any(world.observations.all())
    if (!collectionHistory) return
    const { collections } = world.servers.retrying
    await world.observations.read(world.servers.retrying, collectionHistory.collection)
    const { settle } = world.backend(collectionHistory.collection.source).plan
    const settled = await collections.versionAt(collectionHistory.collection, world.time.now() - settle * 1000)
    const below = Math.min(settled, world.dice.below(collectionHistory.version + 1))
    await collections.compact(collectionHistory.collection, { below, limit: 1 + world.dice.below(50) })
    world.note(`    the floor of ${collectionHistory.collection.source} rises to ${below}`)
  },

  async drop(world: SimulatedWorld) {
    const collectionHistory = world.dice.any(world.observations.all())
    if (!collectionHistory) return
    const { retrying } = world.servers
    await retrying.collections.drop(collectionHistory.collection)
    await requestQuery(world, collectionHistory.collection)
    world.note(`    ${collectionHistory.collection.source} ${collectionHistory.collection.partition} is dropped`)
  },

  async reset(world: SimulatedWorld) {
    await world.servers.retrying.clear({ keep: ['user', 'credential', 'server'] })
    for (const { collection } of world.observations.all()) await requestQuery(world, collection)
  },

  async backUp(world: SimulatedWorld) {
    world.copy = (await world.storeDisk.backUp()) ?? world.copy
  },

  async restore(world: SimulatedWorld) {
    if (world.copy) await restoreStore(world, world.copy, { renewed: world.dice.chance(0.5) && world.storeDisk.renews })
  },

  async ask(world: SimulatedWorld) {
    const collectionHistory = world.dice.any(world.observations.all())
    if (collectionHistory) await world.servers.retrying.collections.requestQuery(collectionHistory.collection)
  },

  async operator(world: SimulatedWorld) {
    await decideDoubts(world, 1)
  },

  async meanwhile(world: SimulatedWorld) {
    await world.pass(world.dice.between(1000, 15_000), () => checkInvariants(world))
  },
} satisfies { readonly [name: string]: Action }
