import type { Change } from '@godwit/model/node'
import type { Attributes } from '@godwit/protocol'
import type { Device } from './device.js'
import type { Edit } from './edit.js'
import { declared } from './models.js'
import { whatIsNotDueIsTrue } from './not-due.js'
import { oneCallForEachObject } from './one-call.js'
import type { SourcePlan } from './plan.js'
import { Violation } from './violation.js'
import type { World } from './world.js'

/** Looks at every device where something may have changed. What was committed is written down first: a device may have heard of it before its writer did. */
export async function look(world: World, { all = false } = {}): Promise<void> {
  await oneCallForEachObject(world)
  const touched = world.devices.filter(device => !device.isDead && (all || device.isTouched))
  if (touched.length === 0) return
  for (const { collection } of world.records.all()) await world.records.read(world.servers.store, collection)
  await whatIsNotDueIsTrue(world)
  for (const device of touched) {
    device.isTouched = false
    if (!device.isDead) lookAt(world, device)
  }
}

/** What a device shows of one source. */
interface Shown {
  readonly plan: SourcePlan
  readonly rows: ReadonlyMap<string, Attributes>
  readonly changes: readonly Change[]
}

function lookAt(world: World, device: Device): void {
  device.noticeOwner()
  if (device.mismatches > 0)
    throw new Violation('what a device stores adds up', `${device.name} found a wrong checksum`)
  const shown = showAll(world, device)
  for (const one of shown) {
    ownChangesShow(device, one)
    editsAreKept(world, device, one)
    firstSyncBringsTheData(world, device, one)
    statesAreTrueAndNeverOlder(world, device, one)
  }
}

/** What a device shows of every source: its changes are read once. */
export function showAll({ plan }: World, device: Device): readonly Shown[] {
  const changes = device.sdk.changes()
  return plan.sources.map(source => ({
    plan: source,
    rows: rowsOf(device, source),
    changes: changes.filter(({ model }) => model === source.name),
  }))
}

export function rowsOf(device: Device, plan: SourcePlan): ReadonlyMap<string, Attributes> {
  return new Map(
    device
      .model(plan.name)
      .find()
      .map(({ object, ...attributes }) => [object, attributes as Attributes]),
  )
}

/** The app sees the last of its undecided changes of each attribute. */
function ownChangesShow(device: Device, { plan, rows, changes }: Shown): void {
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

/** What the app was told is stored stays among its changes until it is decided, or something newer takes its place. */
function editsAreKept(world: World, device: Device, { plan, rows, changes }: Shown): void {
  const pending = device.edits.filter(edit => edit.model === plan.name && edit.fate === 'pending')
  for (const edit of pending) {
    if (isAmong(world, device, edit, changes)) continue
    if (isDecided(world, device, edit)) {
      edit.fate = isTold(world, device, edit) ? 'refused' : 'decided'
      noteVersion(world, device, edit)
    } else if (isSuperseded(world, device, edit) || isNothing(edit, rows.get(idOf(world, device, edit))))
      edit.fate = 'superseded'
    else
      throw new Violation(
        'what the app wrote is kept until it is decided',
        `${device.name} forgot ${JSON.stringify(edit)}`,
      )
  }
}

const idOf = (world: World, device: Device, { model, object, owner }: Edit): string =>
  world.records.idOf(device.collection(model, owner ?? device.owner), object)

function isAmong(world: World, device: Device, edit: Edit, changes: readonly Change[]): boolean {
  const values = Object.entries(edit.values)
  return changes.some(
    ({ operation, object, attributes }) =>
      isOf(world, device, edit, object) &&
      (edit.operation === 'delete'
        ? operation === 'delete'
        : values.some(([name, value]) => name in attributes && attributes[name] === value)),
  )
}

/** Whether an edit is of the object with this id: its own, or one that it has now or had. */
function isOf({ records }: World, device: Device, { model, object, owner }: Edit, id: string): boolean {
  const collection = device.collection(model, owner ?? device.owner)
  return (
    records.idsOf(collection, object).includes(id) || records.idOf(collection, id) === records.idOf(collection, object)
  )
}

/** Deletes and removed attributes bring no value that is known by itself: they are known by their object. */
export function mutationsOf(world: World, device: Device, edit: Edit) {
  const values = Object.values(edit.values).filter(value => value !== null)
  if (values.length > 0) return values.flatMap(value => world.records.withValue(value))
  const collection = device.collection(edit.model, edit.owner)
  return world.records.sent().filter(({ collection: of, mutation, clients }) => {
    if (![...clients].some(client => device.clients.has(client))) return false
    if (of.source !== edit.model || mutation.operation !== edit.operation) return false
    if (!Object.keys(edit.values).every(name => mutation.attributes?.[name] === null)) return false
    return world.records.idOf(collection, mutation.object) === idOf(world, device, edit)
  })
}

function isDecided(world: World, device: Device, edit: Edit): boolean {
  return mutationsOf(world, device, edit).some(({ outcome }) => outcome !== undefined) || isTold(world, device, edit)
}

/** The app heard, or can see, that it was not taken. */
export function isTold(world: World, device: Device, edit: Edit): boolean {
  const told = [...device.told, ...device.sdk.refused()]
  return told.some(
    ({ model, object, operation, attributes }) =>
      model === edit.model &&
      isOf(world, device, edit, object) &&
      (operation === 'delete'
        ? edit.operation === 'delete'
        : Object.entries(edit.values).some(([name, value]) => name in attributes && attributes[name] === value)),
  )
}

/** A later edit of this device has all that it had, or removed the object. */
function isSuperseded(world: World, device: Device, edit: Edit): boolean {
  const later = device.edits.filter(
    other =>
      other.order > edit.order &&
      other.model === edit.model &&
      idOf(world, device, other) === idOf(world, device, edit),
  )
  const isLeft = (name: string): boolean => !later.some(other => name in other.values)
  if (edit.operation === 'delete') return !world.records.sent().some(({ mutation }) => mutation.object === edit.object)
  return later.some(({ operation }) => operation === 'delete') || !Object.keys(edit.values).some(isLeft)
}

/** An attribute that was taken back before it was ever sent. */
const isNothing = ({ values }: Edit, row: Attributes | undefined): boolean =>
  Object.entries(values).every(([name, value]) => value === null && (row?.[name] ?? null) === null) &&
  Object.keys(values).length > 0

/** Milliseconds: a device does not wait for a query that hangs. */
const QUERY_TIMEOUT = 20_000

/** A device that is told it is up to date has something of what the backend gives, unless the backend gave nothing in time. */
function firstSyncBringsTheData({ records, time }: World, device: Device, { plan, rows, changes }: Shown): void {
  const own = new Set(changes.map(({ object }) => object))
  if (
    [...rows.keys()].some(object => !own.has(object)) ||
    device.owner === null ||
    !device.sight(plan.name).isTold ||
    plan.pollInterval < 0
  )
    return
  const { isQueried, isBroken } = records.of(device.collection(plan.name))
  if (isQueried || isBroken || time.now() - device.syncBegan >= QUERY_TIMEOUT) return
  throw new Violation('the first sync brings the data', `${device.name} shows nothing of ${plan.name} before any query`)
}

/** From an applied change on, the device shows the object at that version or a later one. */
function noteVersion(world: World, device: Device, edit: Edit): void {
  const sight = device.sight(edit.model)
  const collection = device.collection(edit.model)
  const { lineage } = world.records.of(collection)
  for (const { outcome, lineage: of } of mutationsOf(world, device, edit)) {
    if (outcome?.status !== 'applied' || of !== lineage || sight.isLoose) continue
    const id = idOf(world, device, edit)
    // Removed by then: the outcome cannot say so, a page will.
    if (world.records.of(collection).isGone(id, outcome.version)) continue
    sight.versions.set(id, Math.max(sight.versions.get(id) ?? 0, outcome.version))
  }
}

/** A row without changes of its own is a state that the collection had, and never an older one than was shown before. */
function statesAreTrueAndNeverOlder(world: World, device: Device, { plan, rows, changes }: Shown): void {
  const sight = device.sight(plan.name)
  // An outcome without content (pass_through) leaves what others changed to the next page.
  if (sight.isLoose || device.owner === null || plan.passThrough) return
  const chronicle = world.records.of(device.collection(plan.name))
  const own = new Set(changes.map(({ object }) => object))
  const names = plan.storage === 'fixed' ? declared(plan, device.schemaVersion) : undefined
  for (const object of new Set([...rows.keys(), ...sight.versions.keys()])) {
    if (own.has(object)) continue
    const row = rows.get(object) ?? null
    const from = sight.versions.get(object) ?? 0
    const version = chronicle.find(object, from, attributes => sameObject(row, attributes, names))
    if (version === undefined) {
      const facts = `${device.name} shows ${plan.name} ${object} as ${JSON.stringify(row)}, from version ${from} on it was ${chronicle.of(object)}`
      throw new Violation('a device never goes back', facts)
    }
    sight.versions.set(object, version)
  }
}

export function sameObject(row: Attributes | null, other: Attributes | null, names?: readonly string[]): boolean {
  if (row === null || other === null) return row === other
  const all = names ?? [...new Set([...Object.keys(row), ...Object.keys(other)])]
  return all.every(name => (row[name] ?? null) === (other[name] ?? null))
}
