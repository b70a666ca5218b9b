import { loadBulk } from '../actions/bulk-actions.js'
import { sync } from '../actions/sync.js'
import type { Device } from '../actors/device.js'
import { decideDoubts } from '../actors/operator.js'
import { backendPartition } from '../world/partitions.js'
import type { World } from '../world/world.js'
import { restoreIntervals } from './administration.js'
import { bringUp, everythingWentByItself, leaveAlone, nothingGoesRound } from './by-itself.js'
import { showAll } from './device-view.js'
import { doubtsAreTold, onlyDoubtsAreLeft } from './doubts.js'
import { everyEditHasItsEnd } from './edits-end.js'
import { everyPhotoIsEverywhere, noPhotoIsGivenUp, outwaitAbsent, unnamedPhotosGo } from './final-photos.js'
import { equalEverywhere, lookAtStore, noTemporaryIdIsLeft, nothingIsUndecided } from './final-state.js'
import { changesCameInOrder } from './foreign.js'
import { look } from './invariants.js'
import { nameOf } from './sent-mutation.js'
import { Violation } from './violation.js'

const MOST_ROUNDS = 25
/** Longer than any poll interval, lease, back-off and session note. */
const A_WHILE = 130_000

/** The network heals, backends recover, and everybody syncs until nothing changes; then everything must be as it was promised. */
export async function settleAndCheck(world: World): Promise<void> {
  world.calm()
  await world.run(Number.POSITIVE_INFINITY, () => look(world))
  await restoreIntervals(world)
  if (world.plan.farewell) await nothingWaitsForADevice(world)
  if (world.plan.automatic) await settleByItself(world)
  await settle(world)
  await askOnceMore(world)
  await settle(world)
  await onlyDoubtsAreLeft(world)
  await doubtsAreTold(world)
  await decideAll(world)
  await outwaitForgotten(world)
  await outwaitAbsent(world, () => settle(world))
  for (const device of world.devices) nothingIsUndecided(device, world)
  await lookAtStore(world)
  for (const device of world.devices) for (const plan of world.plan.sources) equalEverywhere(world, device, plan.name)
  for (const device of world.devices) everyEditHasItsEnd(world, device)
  noTemporaryIdIsLeft(world)
  changesCameInOrder(world)
  await everyPhotoIsEverywhere(world)
  await unnamedPhotosGo(world)
  for (const device of world.devices) noPhotoIsGivenUp(world, device)
}

/** What a device learns by one decision may bring up another doubt: of what it sends again under a new client id. */
async function decideAll(world: World): Promise<void> {
  const { journal } = world.servers.store
  for (let rounds = 3; rounds > 0; rounds--) {
    await decideDoubts(world, 2)
    await settle(world)
    if ((await journal.undecided({ state: 'in_doubt', limit: 1 })).length === 0) return
  }
}

/** Put back in line, and the device that has the content was emptied: a journal that keeps none gives it up in a while. */
async function outwaitForgotten(world: World): Promise<void> {
  const queued = await world.servers.store.journal.undecided({ state: 'queued', limit: 1 })
  if (queued.length === 0) return
  await world.pass(11 * 60_000, () => look(world))
  await settle(world)
}

/** Requests a query of each source without polling: the query after a loss may have missed calls under way or late writes. */
async function askOnceMore(world: World): Promise<void> {
  for (const { collection, lineage } of world.observations.all()) {
    const backend = world.backend(collection.source)
    const isEarly = backend.plan.settle > 0 || backend.isUnheard(backendPartition(collection.partition))
    if (lineage > 0 && isEarly) await world.servers.store.collections.ask(collection)
  }
}

async function settle(world: World): Promise<void> {
  for (let round = 0, before = ''; ; round++) {
    if (round === MOST_ROUNDS)
      throw new Violation('everything comes to rest', `something still changes after ${MOST_ROUNDS} rounds`)
    for (const device of world.devices) {
      if (device.isDead) device.reopen()
      sync(world, device)
      await world.run(Number.POSITIVE_INFINITY, () => look(world))
      if (world.plan.hasBulk === true) await loadAll(world, device)
    }
    await world.pass(A_WHILE, () => look(world))
    await look(world, { all: true })
    const after = standOf(world)
    if (after === before) return
    before = after
  }
}

/** Makes no sync calls: devices sync by themselves. */
async function settleByItself(world: World): Promise<void> {
  for (let round = 0, before = ''; ; round++) {
    if (round === MOST_ROUNDS)
      throw new Violation('everything comes to rest', `something still changes by itself after ${MOST_ROUNDS} rounds`)
    for (const device of world.devices) bringUp(world, device)
    await leaveAlone(world)
    await look(world, { all: true })
    const after = standOf(world)
    if (after === before) break
    before = after
  }
  everythingWentByItself(world)
  await nothingGoesRound(world)
}

async function loadAll(world: World, device: Device): Promise<void> {
  loadBulk(world, device, { all: true })
  await world.run(Number.POSITIVE_INFINITY, () => look(world))
}

/** Everything that may still change. */
function standOf(world: World): string {
  const devices = world.devices.map(device => showAll(world, device).map(({ rows, changes }) => [[...rows], changes]))
  return JSON.stringify([devices, world.observations.all().map(({ version, epoch }) => [version, epoch])])
}

/** Without any device, servers bring to the backend what they have accepted: all but what waits for what is in doubt. */
async function nothingWaitsForADevice(world: World): Promise<void> {
  const { journal } = world.servers.store
  for (let round = 0; round < 4; round++) await world.pass(A_WHILE, () => look(world))
  const doubts = await journal.undecided({ state: 'in_doubt', limit: 1000 })
  const doubtful = new Set(doubts.map(({ collection }) => nameOf(collection)))
  for (const { collection, mutation } of await journal.undecided({ state: 'queued', limit: 1000 })) {
    const { passThrough } = world.plan.sources.find(({ name }) => name === collection.source) ?? {}
    if (doubtful.has(nameOf(collection)) || passThrough) continue
    throw new Violation(
      'what was accepted is done',
      `${nameOf(collection)} still waits with ${JSON.stringify(mutation)}`,
    )
  }
}
