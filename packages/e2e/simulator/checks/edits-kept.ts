import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import type { Edit } from '../actors/edit.js'
import type { SimulatedWorld } from '../world/world.js'
import type { DeviceView } from './device-view.js'
import { idOf, isAmong, isDecided, isReported, mutationsOf } from './edits-of.js'
import { nameOf } from './sent-mutation.js'
import { Violation } from './violation.js'

/** Checks that a stored edit remains among the device's changes until it is decided or superseded. */
export function checkEditsKept(
  world: SimulatedWorld,
  device: SimulatedDevice,
  { plan, rows, changes }: DeviceView,
): void {
  const pending = device.edits.filter(edit => edit.model === plan.name && edit.status === 'pending')
  for (const edit of pending) {
    if (isAmong(world, device, edit, changes)) continue
    if (isDecided(world, device, edit)) {
      edit.status = isReported(world, device, edit) ? 'refused' : 'decided'
      recordVersion(world, device, edit)
    } else if (isSuperseded(world, device, edit) || isNothing(edit, rowOf(world, device, edit, rows)))
      edit.status = 'superseded'
    else
      throw new Violation(
        'what the app wrote is kept until it is decided',
        `${device.name} forgot ${JSON.stringify(edit)}`,
      )
  }
}

/** True if later edits of this device overwrite all its values or remove the object. */
function isSuperseded(world: SimulatedWorld, device: SimulatedDevice, edit: Edit): boolean {
  const later = device.edits.filter(
    other =>
      other.order > edit.order &&
      other.model === edit.model &&
      idOf(world, device, other) === idOf(world, device, edit),
  )
  const isLeft = (name: string): boolean => !later.some(other => name in other.values)
  if (edit.operation === 'delete')
    return !world.observations.sent().some(({ mutation }) => mutation.object === edit.object)
  return later.some(({ operation }) => operation === 'delete') || !Object.keys(edit.values).some(isLeft)
}

/** Returns the row of an edit's object, which has its temporary id until the device receives the outcome of its create. */
const rowOf = (
  world: SimulatedWorld,
  device: SimulatedDevice,
  edit: Edit,
  rows: DeviceView['rows'],
): Attributes | undefined => rows.get(edit.object) ?? rows.get(idOf(world, device, edit))

/** True if the edit only removed attributes that the row lacks anyway. */
const isNothing = ({ values }: Edit, row: Attributes | undefined): boolean =>
  Object.entries(values).every(([name, value]) => value === null && (row?.[name] ?? null) === null) &&
  Object.keys(values).length > 0

/** Records the version of an applied change as the minimum that the device must show of the object. The copies of two teams count on their own. */
function recordVersion(world: SimulatedWorld, device: SimulatedDevice, edit: Edit): void {
  const expectation = device.expectation(edit.model)
  const collection = device.collection(edit.model)
  const { lineage } = world.observations.of(collection)
  for (const { outcome, decidedIn, lineage: of } of mutationsOf(world, device, edit)) {
    if (outcome?.status !== 'applied' || decidedIn !== nameOf(collection) || of !== lineage) continue
    if (expectation.isUnknown) continue
    const id = idOf(world, device, edit)
    // The object has been removed since, which a page reports, not the outcome.
    if (world.observations.of(collection).isGone(id, outcome.version)) continue
    expectation.versions.set(id, Math.max(expectation.versions.get(id) ?? 0, outcome.version))
  }
}
