import type { PendingChange } from '@godwit/model/node'
import type { SimulatedDevice } from '../actors/device.js'
import type { Edit } from '../actors/edit.js'
import type { SimulatedWorld } from '../world/world.js'

/** Returns the current id of an edit's object. */
export const idOf = (world: SimulatedWorld, device: SimulatedDevice, { model, object, owner }: Edit): string =>
  world.observations.idOf(device.collection(model, owner ?? device.owner), object)

/** Returns true if the edit is among the device's changes. */
export function isAmong(
  world: SimulatedWorld,
  device: SimulatedDevice,
  edit: Edit,
  changes: readonly PendingChange[],
): boolean {
  const values = Object.entries(edit.values)
  return changes.some(
    ({ operation, object, attributes }) =>
      isOf(world, device, edit, object) &&
      (edit.operation === 'delete'
        ? operation === 'delete'
        : values.some(([name, value]) => name in attributes && attributes[name] === value)),
  )
}

/** Whether an edit concerns the object of this id, current or former. */
function isOf(
  { observations }: SimulatedWorld,
  device: SimulatedDevice,
  { model, object, owner }: Edit,
  id: string,
): boolean {
  const collection = device.collection(model, owner ?? device.owner)
  return (
    observations.idsOf(collection, object).includes(id) ||
    observations.idOf(collection, id) === observations.idOf(collection, object)
  )
}

/** Returns the mutations of an edit. Deletes and removed attributes have no unique value, and are found by their object. */
export function mutationsOf(world: SimulatedWorld, device: SimulatedDevice, edit: Edit) {
  const values = Object.values(edit.values).filter(value => value !== null)
  if (values.length > 0) return values.flatMap(value => world.observations.withValue(value))
  return world.observations.sent().filter(({ collection: of, mutation, clients }) => {
    if (![...clients].some(client => device.clients.has(client))) return false
    if (of.source !== edit.model || mutation.operation !== edit.operation) return false
    if (!Object.keys(edit.values).every(name => mutation.attributes?.[name] === null)) return false
    return isOf(world, device, edit, mutation.object)
  })
}

export function isDecided(world: SimulatedWorld, device: SimulatedDevice, edit: Edit): boolean {
  return (
    mutationsOf(world, device, edit).some(({ outcome }) => outcome !== undefined) || isReported(world, device, edit)
  )
}

/** Returns true if the app received an event of its refusal, or lists it as refused. */
export function isReported(world: SimulatedWorld, device: SimulatedDevice, edit: Edit): boolean {
  const reported = [...device.heardRefusals, ...device.sdk.refused()]
  return reported.some(
    ({ model, object, operation, attributes }) =>
      model === edit.model &&
      isOf(world, device, edit, object) &&
      (operation === 'delete'
        ? edit.operation === 'delete'
        : Object.entries(edit.values).some(([name, value]) => name in attributes && attributes[name] === value)),
  )
}
