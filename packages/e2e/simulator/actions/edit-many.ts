import type { SimulatedDevice } from '../actors/device.js'
import type { SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import type { Action } from './action.js'
import { deviceOf, sourceOf } from './action.js'
import { creation, type EditRequest, performEdits, photoOf, update } from './edit.js'

/** Creates, removes or changes several objects in one transaction of the app. */
export const editMany: Action = world => {
  const device = deviceOf(world)
  if (device.isDead) return
  const plan = sourceOf(world)
  if (world.dice.chance(0.4)) createMany(world, device, plan)
  else if (world.dice.chance(0.6)) destroyMany(world, device, plan)
  else inOneTransaction(world, device)
}

function createMany(world: SimulatedWorld, device: SimulatedDevice, plan: SourcePlan): void {
  const all = Array.from({ length: world.dice.between(2, 6) }, () => creation(world, device, plan))
  const wanted = all.map(
    ({ values, shot }): EditRequest => ({ model: plan.name, operation: 'create', values, ...photoOf(shot) }),
  )
  performEdits(world, device, wanted, () =>
    device
      .model(plan.name)
      .createMany(all.map(({ attributes }) => attributes))
      .map(({ id }) => id),
  )
}

function destroyMany(world: SimulatedWorld, device: SimulatedDevice, plan: SourcePlan): void {
  const model = device.model(plan.name)
  const named = model.find().filter(() => world.dice.chance(0.5))
  const wanted = named.map(({ id }): EditRequest => ({ model: plan.name, object: id, operation: 'delete', values: {} }))
  performEdits(world, device, wanted, () => {
    model.destroyMany({ id: { in: named.map(({ id }) => id) } })
    return []
  })
}

/** Makes several updates in one transaction. If the process dies at the commit, it is unknown whether they are stored. */
function inOneTransaction(world: SimulatedWorld, device: SimulatedDevice): void {
  const before = device.edits.length
  try {
    device.sdk.transaction(() => {
      for (let left = world.dice.between(2, 5); left > 0 && !device.isDead; left--) update(world, device)
    })
  } catch (error) {
    if (!device.isDead) throw error
    for (const edit of device.edits.slice(before)) edit.status = 'perhaps'
  }
}
