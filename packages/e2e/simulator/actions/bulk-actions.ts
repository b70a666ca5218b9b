import type { SimulatedDevice } from '../actors/device.js'
import { requestQuery } from '../actors/operator.js'
import { checkInvariants } from '../checks/invariants.js'
import { Violation } from '../checks/violation.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf } from './action.js'
import { emptyDevice } from './device-actions.js'
import { drawPageSize } from './sync.js'

/** Loads whole sources as bulk files into a device. */
export function loadBulk(world: SimulatedWorld, device: SimulatedDevice, { all = false } = {}): void {
  if (device.isDead) device.reopen()
  if (device.syncs > 0) return
  device.syncs++
  device.beginSync()
  drawPageSize(world, device)
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

async function load(
  world: SimulatedWorld,
  device: SimulatedDevice,
  partition: 'app' | 'user' | undefined,
): Promise<void> {
  const { sdk } = device
  if (!sdk.isLoggedIn()) await sdk.login(sdk.userName ?? device.wanted, 'secret')
  device.noticeOwner()
  const { lineages } = world.observations
  const { sources, sync } = await sdk.bulkSync(partition ? { partition } : {})
  for (const { source, rows, newer, pending, error } of sources) {
    const { isQueried } = world.observations.of(device.collection(source))
    const { passThrough, pollInterval } = world.backend(source).plan
    if (passThrough || pollInterval < 0) continue
    const isReported = newer === true || pending === true || error !== undefined || rows > 0 || sync.stopped
    // A collection that was recreated during the load may have been queried before.
    if (isQueried || isReported || lineages !== world.observations.lineages) continue
    throw new Violation(
      'a query that failed is told',
      `${device.name} heard that ${source} has nothing, before any query`,
    )
  }
}

/** Actions with bulk data. */
export const bulkActions = {
  bulk(world: SimulatedWorld) {
    loadBulk(world, deviceOf(world))
  },

  /** Recreates a collection or empties a device, then loads bulk data while queries often fail. */
  async bulkAfterLoss(world: SimulatedWorld) {
    const { dice, observations } = world
    const device = deviceOf(world)
    const collectionHistory = dice.any(observations.all())
    if (device.isDead || !collectionHistory) return
    if (dice.chance(0.3)) emptyDevice(world, device)
    else {
      await world.servers.retrying.collections.drop(collectionHistory.collection)
      await requestQuery(world, collectionHistory.collection)
      world.note(`    ${collectionHistory.collection.source} ${collectionHistory.collection.partition} is dropped`)
    }
    const before = world.troubles
    world.troubles = { ...before, query: 0.8 }
    loadBulk(world, device)
    await world.run(dice.between(10, 60), () => checkInvariants(world))
    world.troubles = before
  },
}
