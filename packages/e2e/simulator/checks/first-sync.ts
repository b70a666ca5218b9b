import type { SimulatedDevice } from '../actors/device.js'
import type { SimulatedWorld } from '../world/world.js'
import type { DeviceView } from './device-view.js'
import { Violation } from './violation.js'

/** Milliseconds after which a device stops waiting for a query. */
const QUERY_TIMEOUT = 20_000

/** Checks that a source reported as up to date has the backend's data, unless its query exceeded the timeout. */
export function checkFirstSync(
  { observations, intervals, plan: { automatic } }: SimulatedWorld,
  device: SimulatedDevice,
  { plan, rows, changes }: DeviceView,
): void {
  const { upToDateAfter } = device.expectation(plan.name)
  const own = new Set(changes.map(({ object }) => object))
  if (
    [...rows.keys()].some(object => !own.has(object)) ||
    device.owner === null ||
    automatic !== undefined ||
    upToDateAfter === undefined ||
    upToDateAfter >= QUERY_TIMEOUT ||
    plan.pollInterval < 0 ||
    intervals.has(plan.name)
  )
    return
  const { isQueried, isBroken, isDropped } = observations.of(device.collection(plan.name))
  if (isQueried || isBroken || isDropped) return
  throw new Violation('the first sync brings the data', `${device.name} shows nothing of ${plan.name} before any query`)
}
