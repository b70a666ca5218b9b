import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import { comparedAttributes } from '../actors/models.js'
import type { SimulatedWorld } from '../world/world.js'
import { type DeviceView, sameObject } from './device-view.js'
import { Violation } from './violation.js'

/** Returns true if a row is a search result, which shows a state of the backend. */
function isFound(world: SimulatedWorld, device: SimulatedDevice, source: string, object: string): boolean {
  return world.backend(source).statesOfMore(object) !== undefined || device.found(source).has(object)
}

/** Checks that a row without unsent changes is a state of the collection, and never older than one shown before. */
export function checkRowStates(
  world: SimulatedWorld,
  device: SimulatedDevice,
  { plan, rows, changes }: DeviceView,
): void {
  const expectation = device.expectation(plan.name)
  // The outcome of a pass-through change has no content, so that others' changes arrive with the next page.
  if (expectation.isUnknown || device.owner === null || plan.passThrough) return
  const collectionHistory = world.observations.of(device.collection(plan.name))
  const own = new Set(changes.map(({ object }) => object))
  const names = comparedAttributes(plan, device.schemaVersion)
  for (const object of new Set([...rows.keys(), ...expectation.versions.keys()])) {
    if (own.has(object)) continue
    if (isFound(world, device, plan.name, object)) continue
    const row = rows.get(object) ?? null
    const from = expectation.versions.get(object) ?? 0
    const fits = (attributes: Attributes | null) => sameObject(row, attributes, names)
    const version = collectionHistory.find(object, from, fits)
    // An emptied device may load a file from before a restore; the next pull brings the later changes.
    if (version === undefined && from === 0 && world.plan.hasBulk && collectionHistory.was(object, fits)) continue
    if (version === undefined) {
      const facts = `${device.name} shows ${plan.name} ${object} as ${JSON.stringify(row)}, from version ${from} on it was ${collectionHistory.of(object)}`
      throw new Violation('a device never goes back', facts)
    }
    expectation.versions.set(object, version)
  }
}
