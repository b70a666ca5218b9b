import { type Attributes, Checksum } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { Device } from './device.js'
import { look, mutationsOf, rowsOf, sameObject, showAll } from './invariants.js'
import { declared } from './models.js'
import { decideDoubts } from './operator.js'
import { nameOf, type Sent } from './records.js'
import { sync } from './sync.js'
import { Violation } from './violation.js'
import type { World } from './world.js'

const MOST_ROUNDS = 25
/** Longer than any poll interval, lease, back-off and session note. */
const A_WHILE = 130_000

/** The network heals, backends recover, and everybody syncs until nothing changes; then everything must be as it was promised. */
export async function quiet(world: World): Promise<void> {
  world.calm()
  await world.run(Number.POSITIVE_INFINITY, () => look(world))
  if (world.plan.farewell) await nothingWaitsForADevice(world)
  await settle(world)
  await askOnceMore(world)
  await settle(world)
  await onlyDoubtsAreLeft(world)
  await doubtsAreTold(world)
  await decideDoubts(world, 2)
  await settle(world)
  await outwaitForgotten(world)
  for (const device of world.devices) nothingIsUndecided(device, world)
  await lookAtStore(world)
  for (const device of world.devices) for (const plan of world.plan.sources) equalEverywhere(world, device, plan.name)
  for (const device of world.devices) everyEditHasItsEnd(world, device)
  noTemporaryIdIsLeft(world)
}

/** Put back in line, and the device that has the content was emptied: a journal that keeps none gives it up in a while. */
async function outwaitForgotten(world: World): Promise<void> {
  const queued = await world.servers.store.journal.undecided({ state: 'queued', limit: 1 })
  if (queued.length === 0) return
  await world.pass(11 * 60_000, () => look(world))
  await settle(world)
}

/** Where a backend shows writes late, the query after a loss may have come too early, and nobody polls: the operator asks again. */
async function askOnceMore({ records, servers, plan }: World): Promise<void> {
  for (const { collection, lineage } of records.all()) {
    const { settle = 0 } = plan.sources.find(({ name }) => name === collection.source) ?? {}
    if (lineage > 0 && settle > 0) await servers.store.collections.ask(collection)
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
    }
    await world.pass(A_WHILE, () => look(world))
    await look(world, { all: true })
    const after = standOf(world)
    if (after === before) return
    before = after
  }
}

/** Everything that may still change. */
function standOf(world: World): string {
  const devices = world.devices.map(device => showAll(world, device).map(({ rows, changes }) => [[...rows], changes]))
  return JSON.stringify([devices, world.records.all().map(({ version, epoch }) => [version, epoch])])
}

/** A refused change blocks nothing: what is undecided is in doubt, or waits for what is. A device that was reset may have forgotten its doubts. */
async function onlyDoubtsAreLeft(world: World): Promise<void> {
  const doubts = await world.servers.store.journal.undecided({ state: 'in_doubt', limit: 1000 })
  for (const device of world.devices) {
    const changes = device.sdk.changes()
    const doubtful = new Set(changes.filter(({ state }) => state === 'in_doubt').map(({ object }) => object))
    for (const { mutation } of doubts) doubtful.add(mutation.object)
    for (let grown = -1; grown !== doubtful.size; ) {
      grown = doubtful.size
      for (const { object, attributes } of changes) {
        const names = [object, attributes['owner'], attributes['parent']]
        if (names.some(name => doubtful.has(String(name)))) doubtful.add(object)
      }
    }
    const stuck = changes.find(({ object }) => !doubtful.has(object))
    if (stuck) throw new Violation('nothing is blocked', `${device.name} never got rid of ${JSON.stringify(stuck)}`)
  }
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

/** A device knows which of its changes nobody can tell about. After the store went back as a file it need know of the last alone: that is what it asks about. */
async function doubtsAreTold({ servers, devices, records }: World): Promise<void> {
  const doubts = await servers.store.journal.undecided({ state: 'in_doubt', limit: 1000 })
  for (const { client, collection, mutation } of doubts) {
    const device = devices.find(({ sdk }) => sdk.clientId() === client)
    const sent = device?.sdk.changes(collection.source).filter(({ state }) => state !== 'unsent') ?? []
    const asked = records.isForgotten(mutation.key) ? sent.slice(-1) : sent
    const untold = asked.find(
      ({ object, operation, attributes, state }) =>
        object === mutation.object &&
        operation === mutation.operation &&
        sameObject(attributes, mutation.attributes ?? {}) &&
        state !== 'in_doubt',
    )
    if (device && untold)
      throw new Violation(
        'a doubt is told',
        `${device.name} does not know of the doubt about ${JSON.stringify(untold)}`,
      )
  }
}

function nothingIsUndecided(device: Device, { records }: World): void {
  const [change] = device.sdk.changes()
  if (!change) return
  const sent = records.sent().filter(({ mutation }) => mutation.object === change.object)
  throw new Violation(
    'everything is decided in the end',
    `${device.name} still has ${JSON.stringify(change)}, sent ${JSON.stringify(sent)}`,
  )
}

/** Count and checksum are those of the objects, and the journal is empty. */
async function lookAtStore({ servers, records }: World): Promise<void> {
  for (const { collection } of records.all()) {
    const { collections } = servers.store
    const head = await collections.head(collection)
    if (!head) continue
    const rows = await collections.list(collection, { limit: 100_000 })
    const sum = new Checksum()
    for (const { id, version } of rows) sum.add(id, version)
    if (rows.length !== head.count || sum.toString() !== head.checksum)
      throw new Violation(
        'the store adds up',
        `${nameOf(collection)} has ${rows.length} objects, ${sum}; it says ${head.count}, ${head.checksum}`,
      )
  }
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    const [entry] = await servers.store.journal.undecided({ state, limit: 1 })
    if (entry) throw new Violation('everything is decided in the end', `the journal still has ${JSON.stringify(entry)}`)
  }
}

/** The device, the collection and the backend hold the same; of what passes through the collection knows that it is there, and nothing of it. */
function equalEverywhere(world: World, device: Device, source: string): void {
  const plan = world.plan.sources.find(({ name }) => name === source) as World['plan']['sources'][number]
  if (device.owner === null) return
  const collection: CollectionId = device.collection(source)
  const backend = world.backend(source).objects(plan.partition === 'app' ? '*' : device.owner)
  const rows = rowsOf(device, plan)
  const names = plan.storage === 'fixed' ? declared(plan, device.schemaVersion) : undefined
  const chronicle = world.records.of(collection)
  for (const id of new Set([...rows.keys(), ...backend.keys(), ...chronicle.ids()])) {
    const [shown, truth] = [rows.get(id) ?? null, backend.get(id) ?? null]
    const isSame = (attributes: Attributes | null) =>
      plan.passThrough ? isDigestOf(truth, attributes) : sameObject(truth, attributes)
    const isKept = chronicle.find(id, chronicle.version, isSame) !== undefined
    if ((!isKept && (truth !== null || chronicle.ids().includes(id))) || !sameObject(shown, truth, names)) {
      const facts = `${source} ${id} is ${JSON.stringify(truth)} in the backend, ${JSON.stringify(shown)} on ${device.name}; the collection had ${chronicle.of(id)}`
      throw new Violation('in the end everybody holds the same', facts)
    }
  }
}

const isDigestOf = (truth: Attributes | null, kept: Attributes | null): boolean =>
  truth === null || kept === null ? truth === kept : Object.keys(kept).join() === 'digest'

/** Every change that the app made was done, or is known not to have been, or was taken back by the app. */
function everyEditHasItsEnd(world: World, device: Device): void {
  for (const edit of device.edits) {
    const sent = mutationsOf(world, device, edit)
    const { partition } = device.collection(edit.model, edit.owner)
    const elsewhere = edit.owner === null ? undefined : sent.find(one => one.collection.partition !== partition)
    if (elsewhere)
      throw new Violation("a change is its user's", `${JSON.stringify(edit)} was sent as ${JSON.stringify(elsewhere)}`)
    const backend = world.backend(edit.model)
    const done = sent.filter(({ mutation }) => backend.effects.some(({ key }) => key === mutation.key))
    const wasDone = done.length > 0
    const undone = done.find(one => isRefusedByJudgement(world, one))
    if (undone)
      throw new Violation(
        'what was done is not refused',
        `${device.name} heard that ${JSON.stringify(undone)} was not done`,
      )
    if (edit.fate !== 'decided') continue
    // A conflict that the policy decided, and what was removed before, need no call.
    const wasSettled = sent.some(({ outcome }) => outcome?.status === 'applied' || outcome?.status === 'conflict')
    if (!wasDone && !wasSettled)
      throw new Violation(
        'nothing is lost',
        `${device.name}: ${JSON.stringify(edit)} was sent as ${JSON.stringify(sent)}`,
      )
  }
}

/** Nobody but the server's own judgement refused it: no operator, and no other journal before that may have had it done. */
const isRefusedByJudgement = ({ operated, plan, records }: World, { collection, mutation, outcome }: Sent): boolean =>
  (outcome?.status === 'conflict' || outcome?.status === 'gone' || outcome?.status === 'refused') &&
  mutation.sent !== true &&
  !records.isForgotten(mutation.key) &&
  !operated.has(mutation.key) &&
  plan.sources.every(({ name, passThrough }) => name !== collection.source || !passThrough)

function noTemporaryIdIsLeft(world: World): void {
  for (const backend of world.backends.values()) {
    for (const partition of backend.partitions()) {
      for (const [id, { owner, parent }] of backend.objects(partition)) {
        for (const name of [owner, parent]) {
          // Real ids begin with the name of their source, temporary ones with a digit.
          if (typeof name === 'string' && /^\d/.test(name))
            throw new Violation('temporary ids become real ones', `${backend.plan.name} ${id} names ${name}`)
        }
      }
    }
  }
}
