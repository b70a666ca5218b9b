import { edit } from './app.js'
import { backendWrites } from './backend-people.js'
import type { Device } from './device.js'
import { look } from './invariants.js'
import { takeBack } from './meddle.js'
import { askAnew } from './operator.js'
import { sync } from './sync.js'
import type { World } from './world.js'

/** Happenings that are waited for until a query has looked. */
const PATIENCE = 40

/** A query takes its time. What it saw is changed meanwhile, by devices and by the backend's people; now and then its collection is made anew. */
export async function overtake(world: World): Promise<void> {
  const { dice, servers } = world
  const chronicle = dice.any(world.records.all())
  if (!chronicle) return
  const { collection } = chronicle
  const backend = world.backend(collection.source)
  await servers.steady.collections.ask(collection)
  if (dice.chance(0.3)) takeBack(world)
  backend.queries.isSlow = true
  backend.queries.hasRead = false
  const [first, ...others] = world.devices as [Device, ...Device[]]
  sync(world, first)
  for (let left = PATIENCE; left > 0 && !backend.queries.hasRead; left--) await world.run(1, () => look(world))
  for (const device of others) {
    if (device.isDead) continue
    edit(world, device)
    sync(world, device)
  }
  if (dice.chance(0.3)) backendWrites(world)
  await world.run(dice.between(10, PATIENCE), () => look(world))
  if (dice.chance(0.15)) {
    await servers.steady.collections.drop(collection)
    await askAnew(world, collection)
    world.note(`    ${collection.source} ${collection.partition} is dropped`)
    sync(world, dice.any(others) ?? first)
    await world.run(PATIENCE, () => look(world))
  }
  backend.queries.isSlow = false
}
