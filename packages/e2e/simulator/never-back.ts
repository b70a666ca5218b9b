import type { Device } from './device.js'
import { compared } from './models.js'
import { type Shown, sameObject } from './shown.js'
import { Violation } from './violation.js'
import type { World } from './world.js'

/** What a search found comes and goes with searches: it is a state that its backend had. */
function isFound(world: World, device: Device, source: string, object: string): boolean {
  return world.backend(source).statesOfMore(object) !== undefined || device.found(source).has(object)
}

/** A row without changes of its own is a state that the collection had, and never an older one than was shown before. */
export function statesAreTrueAndNeverOlder(world: World, device: Device, { plan, rows, changes }: Shown): void {
  const sight = device.sight(plan.name)
  // An outcome without content (pass_through) leaves what others changed to the next page.
  if (sight.isLoose || device.owner === null || plan.passThrough) return
  const chronicle = world.records.of(device.collection(plan.name))
  const own = new Set(changes.map(({ object }) => object))
  const names = compared(plan, device.schemaVersion)
  for (const object of new Set([...rows.keys(), ...sight.versions.keys()])) {
    if (own.has(object)) continue
    if (isFound(world, device, plan.name, object)) continue
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
