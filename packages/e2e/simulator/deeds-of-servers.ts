import { backendWrites } from './backend-people.js'
import { beginSyncs, type Deed, deviceOf, sourceOf } from './deed.js'
import { look } from './invariants.js'
import { askAnew, decideDoubts } from './operator.js'
import { tell } from './plugin.js'
import { goBack } from './rewind.js'
import { sync } from './sync.js'
import type { World } from './world.js'

/** What befalls servers, their store and their backends, and what their people do. */
export const deedsOfServers = {
  backend(world: World) {
    for (let left = world.dice.between(1, 3); left > 0; left--) backendWrites(world)
  },

  plugin(world: World) {
    const backend = world.backend(sourceOf(world).name)
    const partition = world.dice.any(backend.partitions())
    if (partition === undefined) return
    world.start(() =>
      backend.telling(partition, () =>
        tell(world, backend, partition, [...backend.objects(partition).keys()].slice(-3)),
      ),
    )
  },

  async wait(world: World) {
    world.time.pass(world.dice.between(1, 15_000))
  },

  longWait(world: World) {
    world.time.pass(world.dice.between(20_000, 11 * 60_000))
  },

  killServer(world: World) {
    if (world.dice.chance(0.3)) world.servers.crash()
    else world.servers.doom({ left: world.dice.below(12), edge: world.dice.chance(0.5) ? 'before' : 'after' })
    sync(world, deviceOf(world))
  },

  async compact(world: World) {
    if (world.plan.theme === 'floors') await beginSyncs(world)
    const chronicle = world.dice.any(world.records.all())
    if (!chronicle) return
    const { collections } = world.servers.steady
    await world.records.read(world.servers.steady, chronicle.collection)
    const { settle } = world.backend(chronicle.collection.source).plan
    const settled = await collections.versionAt(chronicle.collection, world.time.now() - settle * 1000)
    const below = Math.min(settled, world.dice.below(chronicle.version + 1))
    await collections.compact(chronicle.collection, { below, limit: 1 + world.dice.below(50) })
    world.note(`    the floor of ${chronicle.collection.source} rises to ${below}`)
  },

  async drop(world: World) {
    const chronicle = world.dice.any(world.records.all())
    if (!chronicle) return
    const { steady } = world.servers
    await steady.collections.drop(chronicle.collection)
    await askAnew(world, chronicle.collection)
    world.note(`    ${chronicle.collection.source} ${chronicle.collection.partition} is dropped`)
  },

  async reset(world: World) {
    await world.servers.steady.clear({ keep: ['user', 'credential', 'server'] })
    for (const { collection } of world.records.all()) await askAnew(world, collection)
  },

  async backUp(world: World) {
    world.copy = (await world.keeper.backUp()) ?? world.copy
  },

  async restore(world: World) {
    if (world.copy) await goBack(world, world.copy, { renewed: world.dice.chance(0.5) && world.keeper.renews })
  },

  async ask(world: World) {
    const chronicle = world.dice.any(world.records.all())
    if (chronicle) await world.servers.steady.collections.ask(chronicle.collection)
  },

  async operator(world: World) {
    await decideDoubts(world, 1)
  },

  async meanwhile(world: World) {
    await world.pass(world.dice.between(1000, 15_000), () => look(world))
  },
} satisfies { readonly [name: string]: Deed }
