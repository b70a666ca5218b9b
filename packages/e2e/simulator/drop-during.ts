import type { CollectionId } from '@godwit/store'
import { edit } from './app.js'
import { twoDevices } from './deed.js'
import { emptied } from './deeds-of-devices.js'
import { look } from './invariants.js'
import { askAnew } from './operator.js'
import { sync } from './sync.js'
import type { World } from './world.js'

/** Happenings that are waited for until what is to be overtaken has begun. */
const PATIENCE = 40

/** A collection is made anew while its backend is called for a device that is emptied then: nobody takes the result, or sends the change once more. */
export async function dropCalled(world: World): Promise<void> {
  const { dice } = world
  const [device, other] = twoDevices(world)
  const source = dice.any(world.plan.sources)
  if (source === undefined || device.isDead || device.owner === null) return
  for (let left = dice.between(1, 2); left > 0; left--) edit(world, device)
  sync(world, device)
  const collection = device.collection(source.name)
  const backend = world.backend(source.name)
  const whose = collection.partition.replace(/^user:/, '')
  for (let left = PATIENCE; left > 0 && !backend.isBusy(whose); left--) await world.run(1, () => look(world))
  if (!backend.isBusy(whose)) return
  await dropped(world, collection)
  emptied(world, device)
  sync(world, other)
  await world.run(dice.between(5, PATIENCE), () => look(world))
}

/** A collection is made anew while a worker is at its query, and a device that has nothing waits for the next one. */
export async function dropQueried(world: World): Promise<void> {
  const { dice, records, servers } = world
  const [device, other] = twoDevices(world)
  const chronicle = dice.any(records.all())
  if (!chronicle) return
  const { collection } = chronicle
  const { queries } = world.backend(collection.source)
  await servers.steady.collections.ask(collection)
  queries.isSlow = true
  queries.hasRead = false
  sync(world, other)
  for (let left = PATIENCE; left > 0 && !queries.hasRead; left--) await world.run(1, () => look(world))
  await dropped(world, collection)
  emptied(world, device)
  sync(world, device)
  await world.run(dice.between(5, PATIENCE), () => look(world))
  queries.isSlow = false
}

async function dropped(world: World, collection: CollectionId): Promise<void> {
  await world.servers.steady.collections.drop(collection)
  await askAnew(world, collection)
  world.note(`    ${collection.source} ${collection.partition} is dropped`)
}
