import type { CollectionId } from '@godwit/store'
import { loadBulk } from '../actions/bulk-actions.js'
import { sync } from '../actions/sync.js'
import type { SimulatedDevice } from '../actors/device.js'
import { decideDoubts } from '../actors/operator.js'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import { restoreIntervals } from './administration.js'
import { checkAutomaticSync, checkNoRequestLoops, startApp, waitForDevices } from './automatic-sync.js'
import { showAll } from './device-view.js'
import { checkDoubtsReported, checkOnlyDoubtsLeft } from './doubts.js'
import { checkEditsCompleted } from './edits-completed.js'
import {
  checkNoPhotoLost,
  checkPhotosEverywhere,
  checkUnnamedPhotosRemoved,
  waitForAbsentPhotos,
} from './final-photos.js'
import { checkCollections, checkNoTemporaryIds, checkNothingUndecided, checkReplicasEqual } from './final-state.js'
import { checkChangeOrder } from './foreign.js'
import { checkInvariants } from './invariants.js'
import { nameOf } from './sent-mutation.js'
import { Violation } from './violation.js'

const MAX_ROUNDS = 25
/** Milliseconds above every poll interval, lease, back-off and session cache. */
const LONGEST_INTERVAL = 130_000

/** Ends all faults, syncs all devices until nothing changes, and checks every promise. */
export async function settleAndCheck(world: SimulatedWorld): Promise<void> {
  world.calm()
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
  await restoreIntervals(world)
  if (world.plan.farewell) await checkServersFinishAlone(world)
  if (world.plan.automatic) await settleByItself(world)
  await settle(world)
  await requestQueries(world)
  await settle(world)
  await waitForDiscards(world)
  await checkOnlyDoubtsLeft(world)
  await checkDoubtsReported(world)
  await decideAll(world)
  await waitForDiscards(world)
  await waitForAbsentPhotos(world, () => settle(world))
  for (const device of world.devices) checkNothingUndecided(device, world)
  await checkCollections(world)
  for (const device of world.devices)
    for (const plan of world.plan.sources) checkReplicasEqual(world, device, plan.name)
  for (const device of world.devices) checkEditsCompleted(world, device)
  checkNoTemporaryIds(world)
  checkChangeOrder(world)
  await checkPhotosEverywhere(world)
  await checkUnnamedPhotosRemoved(world)
  for (const device of world.devices) checkNoPhotoLost(world, device)
}

/** Decides all doubts, repeatedly: a device may send a decided change again under a new client id, which then is in doubt. */
async function decideAll(world: SimulatedWorld): Promise<void> {
  const { journal } = world.servers.store
  for (let rounds = 3; rounds > 0; rounds--) {
    await decideDoubts(world, 2)
    await settle(world)
    if ((await journal.undecided({ state: 'in_doubt', limit: 1 })).length === 0) return
  }
}

/** Waits for queued mutations whose content only an emptied device had: a journal without content discards them after a timeout. */
async function waitForDiscards(world: SimulatedWorld): Promise<void> {
  const queued = await world.servers.store.journal.undecided({ state: 'queued', limit: 1000 })
  if (!queued.some(({ collection }) => keepsNoContent(world, collection))) return
  await world.pass(11 * 60_000, () => checkInvariants(world))
  await settle(world)
}

const keepsNoContent = ({ plan }: SimulatedWorld, { source }: CollectionId): boolean =>
  plan.sources.find(({ name }) => name === source)?.passThrough === true

/** Requests queries of recreated or restored collections, whose last query may have missed running calls or delayed writes. */
async function requestQueries(world: SimulatedWorld): Promise<void> {
  for (const { collection, lineage } of world.observations.all()) {
    const backend = world.backend(collection.source)
    const isEarly = backend.plan.settle > 0 || backend.isUnheard(backendPartition(collection.partition))
    if (lineage > 0 && isEarly) await world.servers.store.collections.requestQuery(collection)
  }
}

async function settle(world: SimulatedWorld): Promise<void> {
  for (let round = 0, before = ''; ; round++) {
    if (round === MAX_ROUNDS)
      throw new Violation('everything comes to rest', `something still changes after ${MAX_ROUNDS} rounds`)
    for (const device of world.devices) {
      if (device.isDead) device.reopen()
      sync(world, device)
      await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
      if (world.plan.hasBulk === true) await loadAll(world, device)
    }
    await world.pass(LONGEST_INTERVAL, () => checkInvariants(world))
    await checkInvariants(world, { all: true })
    const after = fingerprintOf(world)
    if (after === before) return
    before = after
  }
}

/** Waits until automatic syncs change nothing more. */
async function settleByItself(world: SimulatedWorld): Promise<void> {
  for (let round = 0, before = ''; ; round++) {
    if (round === MAX_ROUNDS)
      throw new Violation('everything comes to rest', `something still changes by itself after ${MAX_ROUNDS} rounds`)
    for (const device of world.devices) startApp(world, device)
    await waitForDevices(world)
    await checkInvariants(world, { all: true })
    const after = fingerprintOf(world)
    if (after === before) break
    before = after
  }
  checkAutomaticSync(world)
  await checkNoRequestLoops(world)
}

async function loadAll(world: SimulatedWorld, device: SimulatedDevice): Promise<void> {
  loadBulk(world, device, { all: true })
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
}

/** Returns a fingerprint of the rows, changes and collections, to detect changes. */
function fingerprintOf(world: SimulatedWorld): string {
  const devices = world.devices.map(device => showAll(world, device).map(({ rows, changes }) => [[...rows], changes]))
  return JSON.stringify([devices, world.observations.all().map(({ version, epoch }) => [version, epoch])])
}

/** Checks that servers process every accepted change without devices, except those behind a mutation in doubt. */
async function checkServersFinishAlone(world: SimulatedWorld): Promise<void> {
  const { journal } = world.servers.store
  for (let round = 0; round < 4; round++) await world.pass(LONGEST_INTERVAL, () => checkInvariants(world))
  const doubts = await journal.undecided({ state: 'in_doubt', limit: 1000 })
  const doubtful = new Set(doubts.map(({ collection }) => nameOf(collection)))
  for (const { collection, mutation } of await journal.undecided({ state: 'queued', limit: 1000 })) {
    if (doubtful.has(nameOf(collection)) || keepsNoContent(world, collection)) continue
    throw new Violation(
      'what was accepted is done',
      `${nameOf(collection)} still waits with ${JSON.stringify(mutation)}`,
    )
  }
}
