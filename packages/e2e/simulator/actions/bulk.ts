import { deviceOf } from '../deed.js'
import { emptied } from '../deeds-of-devices.js'
import type { Device } from '../device.js'
import { look } from '../invariants.js'
import { askAnew } from '../operator.js'
import { Violation } from '../violation.js'
import type { World } from '../world.js'

/** The app of a device loads whole sources as files. */
export function loadBulk(world: World, device: Device, { all = false } = {}): void {
  if (device.isDead) device.reopen()
  if (device.syncs > 0) return
  device.syncs++
  device.beginSync()
  device.sdk.pageSize = world.dice.between(1, 5)
  const { process } = device
  const partition = all ? undefined : world.dice.any([undefined, undefined, 'app', 'user'] as const)
  world.note(`    ${device.name} loads bulk data ${partition ?? ''}`)
  world.start(async () => {
    try {
      await Promise.race([load(world, device, partition), process.death])
    } finally {
      device.syncs--
      if (!process.isDead) device.noticeOwner()
    }
  })
}

async function load(world: World, device: Device, partition: 'app' | 'user' | undefined): Promise<void> {
  const { sdk } = device
  if (!sdk.isLoggedIn()) await sdk.login(sdk.userName ?? device.wanted, 'secret')
  device.noticeOwner()
  const { lineages } = world.records
  const { sources, sync } = await sdk.bulkSync(partition ? { partition } : {})
  for (const { source, rows, newer, pending, error } of sources) {
    const { isQueried } = world.records.of(device.collection(source))
    const { passThrough, pollInterval } = world.backend(source).plan
    if (passThrough || pollInterval < 0) continue
    const isTold = newer === true || pending === true || error !== undefined || rows > 0 || sync.stopped
    // What began anew meanwhile was perhaps queried before.
    if (isQueried || isTold || lineages !== world.records.lineages) continue
    throw new Violation(
      'a query that failed is told',
      `${device.name} heard that ${source} has nothing, before any query`,
    )
  }
}

/** What befalls bulk data. */
export const actionsOfBulk = {
  bulk(world: World) {
    loadBulk(world, deviceOf(world))
  },

  /** A collection is made anew, or a device is emptied, while the backend fails at what the first query asks for. */
  async bulkAfterLoss(world: World) {
    const { dice, records } = world
    const device = deviceOf(world)
    const chronicle = dice.any(records.all())
    if (device.isDead || !chronicle) return
    if (dice.chance(0.3)) emptied(world, device)
    else {
      await world.servers.steady.collections.drop(chronicle.collection)
      await askAnew(world, chronicle.collection)
      world.note(`    ${chronicle.collection.source} ${chronicle.collection.partition} is dropped`)
    }
    const before = world.troubles
    world.troubles = { ...before, query: 0.8 }
    loadBulk(world, device)
    await world.run(dice.between(10, 60), () => look(world))
    world.troubles = before
  },
}
