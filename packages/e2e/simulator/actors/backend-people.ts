import type { Attributes } from '@godwit/protocol'
import { backendPartition, TEAMS } from '../world/partitions.js'
import { LOGINS, type SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import type { Backend } from './backend.js'
import { VALUES } from './models.js'
import { requestQuery } from './operator.js'
import { pushStates } from './plugin.js'

/** Creates the initial objects of each backend. */
export async function stock(world: SimulatedWorld): Promise<void> {
  if (world.plan.stock === 0) return
  for (const { name: source } of world.plan.sources) {
    const collection = world.collection(source, LOGINS[0])
    const whose = backendPartition(collection.partition)
    const backend = world.backend(source)
    for (let left = world.plan.stock; left > 0; left--)
      backend.write(whose, backend.newId(), { mark: world.newValue('m') })
    await requestQuery(world, collection)
  }
}

/** Draws a partition of a source, by the backend's name for it. */
function partitionNameOf({ dice, plan, backends }: SimulatedWorld, name: string): string {
  const { partition, isOfTeams } = backends.get(name)?.plan ?? (plan.sources[0] as SourcePlan)
  if (partition === 'app') return '*'
  return dice.any(isOfTeams === true ? TEAMS : LOGINS) as string
}

/** Makes a random change as a user of the backend; without polling, the backend pushes it. */
export function backendWrites(world: SimulatedWorld): void {
  const { dice } = world
  const { name, partition, belongsTo } = dice.any(world.plan.sources) as SourcePlan
  const backend = world.backend(name)
  const whose = partitionNameOf(world, name)
  const ids = [...backend.objects(whose).keys()]
  const known = dice.any(ids)
  const isNew = known === undefined || dice.chance(0.4)
  const id = isNew ? ((dice.chance(0.15) ? backend.formerId(whose) : undefined) ?? backend.newId()) : known
  const owners = Object.entries(belongsTo).flatMap(([attribute, source]) => {
    const owner = dice.any([
      ...world
        .backend(source)
        .objects(partition === 'app' ? LOGINS[0] : whose)
        .keys(),
    ])
    return owner !== undefined && dice.chance(0.4) ? [[attribute, owner]] : []
  })
  const attribute = dice.any(VALUES) as string
  const attributes: Attributes | null =
    !isNew && dice.chance(0.3)
      ? null
      : {
          ...(isNew && { mark: world.newValue('m'), ...Object.fromEntries(owners) }),
          [attribute]: world.newValue(attribute),
          ...photoOf(world, backend, whose),
        }
  publish(world, backend, whose, id, () => {
    if (isNew === backend.objects(whose).has(id)) return
    performBackendEdit(world, backend, whose, id, attributes)
  })
}

/** Returns the attribute of a new photo, if the source has photos and the dice choose so. */
function photoOf(world: SimulatedWorld, { plan, photos }: Backend, whose: string): Attributes {
  if (plan.photos !== true || !world.dice.chance(0.4)) return {}
  return { photo: photos.keep(whose, world.photos.any(world.dice, { hasLarge: world.plan.hasLarge === true })) }
}

/** Changes an object in the backend; `null` removes it. */
export function performBackendEdit(
  world: SimulatedWorld,
  backend: Backend,
  whose: string,
  id: string,
  attributes: Attributes | null,
): void {
  backend.write(whose, id, attributes)
  world.note(`    backend: ${backend.plan.name} ${whose} ${id} ${JSON.stringify(attributes)}`)
}

/** Runs a change of an object, and pushes its state to the server if the source is not polled. */
export function publish(world: SimulatedWorld, backend: Backend, whose: string, id: string, write: () => void): void {
  if (backend.plan.pollInterval >= 0) write()
  else
    world.start(() =>
      backend.telling(whose, async () => {
        write()
        await pushStates(world, backend, whose, [id])
      }),
    )
}
