import type { SimulatedDevice } from '../actors/device.js'
import type { SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import type { DeviceView } from './device-view.js'
import type { Observations } from './observations.js'
import { Violation } from './violation.js'

/** Checks that no server row disappears because of a collection that no query has filled, which says nothing about the backend. */
export function checkRowsStay(
  { intervals, observations }: SimulatedWorld,
  device: SimulatedDevice,
  { plan, rows, changes }: DeviceView,
): void {
  const before = device.rowsDisplayed.get(plan.name) ?? new Set()
  const now = new Set<string>()
  // The backend's ids begin with the name of their source.
  for (const object of rows.keys()) if (object.startsWith(plan.name)) now.add(object)
  device.rowsDisplayed.set(plan.name, now)
  if (device.owner === null || device.damaged.has(plan.name) || plan.pollInterval < 0 || intervals.has(plan.name))
    return
  const collectionHistory = observations.of(device.collection(plan.name))
  if (collectionHistory.isQueried) return
  const own = new Set(changes.map(({ object }) => object))
  for (const { object, operation, model } of device.edits)
    if (operation === 'delete' && model === plan.name) own.add(observations.idOf(device.collection(model), object))
  const gone = [...before].find(
    object =>
      !now.has(object) &&
      !device.found(plan.name).has(object) &&
      !own.has(object) &&
      !collectionHistory.ids().includes(object) &&
      !collectionHistory.removedBefore.has(object) &&
      !isRemovedInOtherTeam(observations, plan, object) &&
      (collectionHistory.livedBefore?.has(object) ?? true),
  )
  if (gone === undefined) return
  throw new Violation(
    'nothing goes because a backend failed',
    `${device.name} lost ${plan.name} ${gone} before any query`,
  )
}

/** True if the copy of a team has removed the object: a late page may say so to a device whose user has changed teams since. */
const isRemovedInOtherTeam = (observations: Observations, { name, isOfTeams }: SourcePlan, object: string): boolean =>
  isOfTeams === true &&
  observations
    .all()
    .some(
      history =>
        history.collection.source === name && (history.removedBefore.has(object) || history.gone().includes(object)),
    )
