import type { Backend } from '../actors/backend.js'
import { performBackendEdit, publish } from '../actors/backend-people.js'
import { VALUES } from '../actors/models.js'
import { pushStates } from '../actors/plugin.js'
import { checkInvariants } from '../checks/invariants.js'
import type { SentMutation } from '../checks/sent-mutation.js'
import { backendPartition } from '../world/partitions.js'
import type { SimulatedWorld } from '../world/world.js'
import { sync } from './sync.js'

/** Maximum number of events to wait for a running call. */
const MAX_EVENTS = 80

/** Changes or removes an object in the backend while a device changes it: during a call, or between a call and its retry. */
export async function editDuringCall(world: SimulatedWorld): Promise<void> {
  const { dice } = world
  for (const device of world.devices) if (dice.chance(0.7)) sync(world, device)
  for (let left = dice.below(MAX_EVENTS); left > 0 && unsettledCalls(world).length === 0; left--)
    await world.run(1, () => checkInvariants(world))
  const sent = dice.any(unsettledCalls(world)) ?? dice.any(undecidedMutations(world))
  const object = sent && objectOf(world, sent)
  if (!sent || object === undefined) return
  const { backend, whose } = placeOf(world, sent)
  const named = VALUES.filter(name => name in (sent.mutation.attributes ?? {}))
  const attribute = dice.any(named.length > 0 ? named : VALUES) as string
  const attributes = dice.chance(0.35) ? null : { [attribute]: world.newValue(attribute) }
  publish(world, backend, whose, object, () => {
    if (backend.objects(whose).has(object)) performBackendEdit(world, backend, whose, object, attributes)
  })
}

/** Reverts the effect of an unanswered call before its retry, so that the server sees no change. */
export async function undo(world: SimulatedWorld): Promise<void> {
  const sent = await awaitUnsettledUpdate(world)
  if (!sent) return
  const { backend, whose } = placeOf(world, sent)
  for (let left = MAX_EVENTS; left > 0 && backend.isBusy(whose); left--)
    await world.run(1, () => checkInvariants(world))
  if (!backend.isBusy(whose) && undecidedMutations(world).includes(sent)) putBack(world, sent)
}

/** Reverts the effect of a call before its response. */
export async function undoDuringCall(world: SimulatedWorld): Promise<void> {
  const sent = await awaitUnsettledUpdate(world)
  if (sent) putBack(world, sent)
}

/** Waits for an update that the backend performed and no journal has settled. */
async function awaitUnsettledUpdate(world: SimulatedWorld): Promise<SentMutation | undefined> {
  const { dice } = world
  for (const device of world.devices) if (dice.chance(0.7)) sync(world, device)
  for (let left = dice.below(MAX_EVENTS); left > 0 && unsettledCalls(world).length === 0; left--)
    await world.run(1, () => checkInvariants(world))
  return dice.any(unsettledCalls(world).filter(({ mutation }) => mutation.operation === 'update'))
}

function putBack(world: SimulatedWorld, sent: SentMutation): void {
  const { backend, whose } = placeOf(world, sent)
  const object = world.observations.idOf(sent.collection, sent.mutation.object)
  const names = Object.keys(sent.mutation.attributes ?? {})
  const before = Object.fromEntries(names.map(name => [name, sent.mutation.was?.[name] ?? null]))
  publish(world, backend, whose, object, () => {
    if (backend.objects(whose).has(object)) performBackendEdit(world, backend, whose, object, before)
  })
}

const undecidedMutations = ({ observations }: SimulatedWorld): readonly SentMutation[] =>
  observations.sent().filter(({ outcome }) => outcome === undefined || outcome.status === 'in_doubt')

/** Returns the calls that the backend performed and no journal has settled. */
const unsettledCalls = (world: SimulatedWorld): readonly SentMutation[] =>
  undecidedMutations(world).filter(sent => effectOf(world, sent) !== undefined)

const effectOf = (world: SimulatedWorld, { collection, mutation }: SentMutation) =>
  world.backend(collection.source).effects.find(({ key }) => key === mutation.key)

/** Changes an object and reverts the change before the push, so that the push changes nothing. */
export function revertBeforePush(world: SimulatedWorld): void {
  const backend = world.backend((world.dice.any(world.plan.sources) as { name: string }).name)
  const whose = world.dice.any(backend.partitions())
  const object = whose === undefined ? undefined : world.dice.any([...backend.objects(whose).keys()])
  if (whose === undefined || object === undefined) return
  const other = world.newValue('b')
  world.start(() =>
    backend.telling(whose, async () => {
      const before = backend.objects(whose).get(object)
      if (!before) return
      performBackendEdit(world, backend, whose, object, { b: other })
      for (let left = 3; left > 0; left--) await world.scheduler.delay(`${object} is taken back soon`)
      if (backend.objects(whose).has(object))
        performBackendEdit(world, backend, whose, object, { b: before['b'] ?? null })
      await pushStates(world, backend, whose, [object])
    }),
  )
}

function placeOf(
  world: SimulatedWorld,
  { collection }: SentMutation,
): { readonly backend: Backend; readonly whose: string } {
  return { backend: world.backend(collection.source), whose: backendPartition(collection.partition) }
}

/** Returns the object's id in the backend; undefined if it has none. */
function objectOf(world: SimulatedWorld, sent: SentMutation): string | undefined {
  const { operation, object } = sent.mutation
  if (operation === 'create') return effectOf(world, sent)?.object
  return world.observations.idOf(sent.collection, object)
}
