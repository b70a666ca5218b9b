import type { Attributes } from '@godwit/protocol'
import type { SimulatedDevice } from '../actors/device.js'
import { hashOf } from '../actors/device-files.js'
import type { Edit } from '../actors/edit.js'
import { VALUES } from '../actors/models.js'
import type { SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'

/** Creates, changes or removes an object in the app, and checks that the app sees its write immediately. */
export function edit(world: SimulatedWorld, device: SimulatedDevice): void {
  const { dice } = world
  const plan = dice.any(world.plan.sources) as SourcePlan
  const model = device.model(plan.name)
  const rows = model.find()
  const row = dice.any(rows)
  if (!row || dice.chance(world.plan.creates)) {
    const { values, attributes, shot } = creation(world, device, plan)
    const wanted = { model: plan.name, operation: 'create', values, ...photoOf(shot) } as const
    performEdits(world, device, [wanted], () => [model.create(attributes).id])
  } else if (dice.chance(0.25)) {
    const removal = { model: plan.name, object: row.id, operation: 'delete', values: {} } as const
    performEdits(world, device, [removal], () => {
      model.destroy(row.id)
      return []
    })
  } else change(world, device, plan, row)
}

/** Returns the attributes of a new object, and separately those with unique values. */
export function creation(world: SimulatedWorld, device: SimulatedDevice, plan: SourcePlan) {
  const values = { mark: world.newValue('m'), ...(world.dice.chance(0.7) && { a: world.newValue('a') }) }
  const named = references(world, device, plan)
  const shot = takePhoto(world, device, plan, 0.6)
  return { values, attributes: { ...values, ...named, ...(shot && { photo: shot.path }) }, shot }
}

/** Changes one of the objects that the device shows. */
export function update(world: SimulatedWorld, device: SimulatedDevice): void {
  const plan = world.dice.any(world.plan.sources) as SourcePlan
  const row = world.dice.any(device.model(plan.name).find())
  if (row) change(world, device, plan, row)
}

function change(world: SimulatedWorld, device: SimulatedDevice, plan: SourcePlan, row: { readonly id: string }): void {
  const { dice } = world
  const attribute = dice.any(VALUES) as 'a' | 'b'
  const value =
    (row as unknown as Attributes)[attribute] !== undefined && dice.chance(0.1) ? null : world.newValue(attribute)
  const named = dice.chance(0.15) && references(world, device, plan)
  const shot = takePhoto(world, device, plan, 0.4)
  const changes = { [attribute]: value, ...named, ...(shot && { photo: shot.path }) }
  const values = { [attribute]: value }
  const wanted = { model: plan.name, object: row.id, operation: 'update', values, ...photoOf(shot) } as const
  performEdits(world, device, [wanted], () => {
    device.model(plan.name).update(row.id, changes)
    return []
  })
}

/** A photo file to be stored in a row. */
interface TakenPhoto {
  readonly path: string
  readonly hash: string
}

/** Creates a photo file in a device's app, if the model has photos. */
function takePhoto(
  world: SimulatedWorld,
  device: SimulatedDevice,
  { photos }: SourcePlan,
  share: number,
): TakenPhoto | undefined {
  if (photos !== true || !world.dice.chance(share)) return undefined
  const bytes = world.photos.any(world.dice, { hasLarge: world.plan.hasLarge === true })
  return { path: device.disk.files.takePhoto(bytes), hash: hashOf(bytes) }
}

export type EditRequest = Pick<Edit, 'model' | 'operation' | 'values' | 'photo'> & { readonly object?: string }

export const photoOf = (shot: TakenPhoto | undefined): Pick<Edit, 'photo'> => (shot ? { photo: shot.hash } : {})

/** Runs and records writes; they are uncertain if the process dies at their commit. `write` returns the ids it created, in order. */
export function performEdits(
  world: SimulatedWorld,
  device: SimulatedDevice,
  all: readonly EditRequest[],
  write: () => readonly string[],
): void {
  let made: readonly string[] = []
  device.isTouched = true
  try {
    made = write()
  } catch (error) {
    if (!device.isDead) throw error
  }
  for (const [index, { object = made[index] ?? '', ...rest }] of all.entries()) {
    world.note(
      `    ${device.name}: ${rest.operation} ${rest.model} ${object} ${JSON.stringify(rest.values)}${rest.photo === undefined ? '' : ` with photo ${rest.photo.slice(0, 8)}`}`,
    )
    device.edits.push({
      ...rest,
      object,
      owner: device.owner,
      order: world.nextOrder(),
      status: device.isDead ? 'perhaps' : 'pending',
    })
  }
}

function references(
  world: SimulatedWorld,
  device: SimulatedDevice,
  { belongsTo }: SourcePlan,
): { [attribute: string]: string } {
  const named: { [attribute: string]: string } = {}
  for (const [attribute, source] of Object.entries(belongsTo)) {
    const owner = world.dice.any(device.model(source).find())
    if (owner && world.dice.chance(0.6)) named[attribute] = owner.id
  }
  return named
}
