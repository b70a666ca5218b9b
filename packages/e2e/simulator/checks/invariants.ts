import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import { isFeature } from '../world/feature-scenarios.js'
import type { SimulatedWorld } from '../world/world.js'
import { type DeviceView, showAll } from './device-view.js'
import { checkEditsKept } from './edits-kept.js'
import { checkFirstSync } from './first-sync.js'
import { checkPhotosKept } from './photos.js'
import { checkRowStates } from './row-states.js'
import { checkRowsStay } from './rows-stay.js'
import { checkPassThroughStoresNothing, checkSearchResultsNotStored } from './stored-content.js'
import { checkUnpolledCollections } from './unpolled-collections.js'
import { Violation } from './violation.js'

/** Checks every device that may have changed. Reads commits first, because a device may receive one before its writer gets the response. */
export async function checkInvariants(world: SimulatedWorld, { all = false } = {}): Promise<void> {
  await checkOneCallPerObject(world)
  const touched = world.devices.filter(device => !device.isDead && (all || device.isTouched))
  if (touched.length === 0) return
  for (const { collection } of world.observations.all()) await world.observations.read(world.servers.store, collection)
  await checkUnpolledCollections(world)
  if (isFeature(world.plan.theme)) {
    await checkPassThroughStoresNothing(world)
    checkSearchResultsNotStored(world)
  }
  for (const device of touched) {
    device.isTouched = false
    if (!device.isDead) checkDevice(world, device)
  }
}

function checkDevice(world: SimulatedWorld, device: SimulatedDevice): void {
  device.noticeOwner()
  const isMisled = [...device.clients].some(client => world.observations.isMisled(client))
  if (device.mismatches > 0 && !isMisled)
    throw new Violation('what a device stores adds up', `${device.name} found a wrong checksum`)
  const displayed = showAll(world, device)
  for (const one of displayed) {
    checkOwnChangesVisible(world, device, one)
    checkEditsKept(world, device, one)
    checkFirstSync(world, device, one)
    checkRowStates(world, device, one)
    checkPhotosKept(device, one)
    if (isFeature(world.plan.theme)) checkRowsStay(world, device, one)
  }
}

/** Checks that the app sees its last undecided change of each attribute. */
function checkOwnChangesVisible(
  { counts }: SimulatedWorld,
  device: SimulatedDevice,
  { plan, rows, changes }: DeviceView,
): void {
  for (const object of new Set(changes.map(change => change.object))) {
    counts.add('own changes compared')
    const row = rows.get(object)
    const own = changes.filter(change => change.object === object)
    // A delete may precede an update, of a row that turned out to be the same object.
    const isGone = own.findLast(({ operation }) => operation !== 'update')?.operation === 'delete'
    const wanted: Attributes = Object.assign({}, ...own.map(({ attributes }) => attributes))
    const lost = isGone
      ? row !== undefined
      : row === undefined || Object.entries(wanted).some(([name, value]) => (row[name] ?? null) !== value)
    if (lost) {
      const facts = `${device.name} shows ${plan.name} ${object} as ${JSON.stringify(row)}, its changes are ${JSON.stringify(own)}`
      throw new Violation('what the app wrote is visible until it is decided', facts)
    }
  }
}

/** Checks that a backend never runs two changes of one object concurrently: the later one would be based on an outdated state. */
async function checkOneCallPerObject({ observations, servers }: SimulatedWorld): Promise<void> {
  for (const rivals of observations.takeStarted()) {
    const [{ collection }] = rivals as [(typeof rivals)[number]]
    const keys = rivals.map(({ mutation }) => mutation.key)
    const entries = await servers.store.journal.entries(collection, keys)
    const started = entries.filter(({ state }) => state === 'started')
    if (started.length > 1)
      throw new Violation('one change of an object is under way at a time', JSON.stringify(started))
  }
}
