import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import { isFeature } from '../world/feature-scenarios.js'
import type { SimulatedWorld } from '../world/world.js'
import { type DeviceView, showAll } from './device-view.js'
import { editsAreKept } from './edits-kept.js'
import { firstSyncBringsTheData } from './first-sync.js'
import { statesAreTrueAndNeverOlder } from './never-older.js'
import { whatIsNotDueIsTrue } from './not-due.js'
import { nothingFoundIsKept, nothingIsKept } from './nothing-kept.js'
import { photosAreKept } from './photos.js'
import { rowsStay } from './rows-stay.js'
import { Violation } from './violation.js'

/** Checks every device that may have changed. Commits are recorded first: a device may hear of one before its writer does. */
export async function checkInvariants(world: SimulatedWorld, { all = false } = {}): Promise<void> {
  await oneCallForEachObject(world)
  const touched = world.devices.filter(device => !device.isDead && (all || device.isTouched))
  if (touched.length === 0) return
  for (const { collection } of world.observations.all()) await world.observations.read(world.servers.store, collection)
  await whatIsNotDueIsTrue(world)
  if (isFeature(world.plan.theme)) {
    await nothingIsKept(world)
    nothingFoundIsKept(world)
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
  const shown = showAll(world, device)
  for (const one of shown) {
    ownChangesShow(device, one)
    editsAreKept(world, device, one)
    firstSyncBringsTheData(world, device, one)
    statesAreTrueAndNeverOlder(world, device, one)
    photosAreKept(device, one)
    if (isFeature(world.plan.theme)) rowsStay(world, device, one)
  }
}

/** Checks that the app sees its last undecided change of each attribute. */
function ownChangesShow(device: SimulatedDevice, { plan, rows, changes }: DeviceView): void {
  for (const object of new Set(changes.map(change => change.object))) {
    const row = rows.get(object)
    const own = changes.filter(change => change.object === object)
    // A delete may come before an update: of a row that turned out to be the same object.
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

/** Checks that a backend never processes two changes of one object: the later one would be based on an outdated state. */
async function oneCallForEachObject({ observations, servers }: SimulatedWorld): Promise<void> {
  for (const rivals of observations.takeStarted()) {
    const [{ collection }] = rivals as [(typeof rivals)[number]]
    const keys = rivals.map(({ mutation }) => mutation.key)
    const entries = await servers.store.journal.entries(collection, keys)
    const started = entries.filter(({ state }) => state === 'started')
    if (started.length > 1)
      throw new Violation('one change of an object is under way at a time', JSON.stringify(started))
  }
}
