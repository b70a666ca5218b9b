import type { Backend } from '../actors/backend.js'
import { carryOut, publish } from '../actors/backend-people.js'
import { VALUES } from '../actors/models.js'
import { pushStates } from '../actors/plugin.js'
import { look } from '../checks/invariants.js'
import type { SentMutation } from '../checks/sent-mutation.js'
import { backendPartition } from '../world/partitions.js'
import type { World } from '../world/world.js'
import { sync } from './sync.js'

/** Happenings that are waited for until a call is under way. */
const PATIENCE = 80

/** The backend's people change or remove what a device is changing: while its call is under way, or between a call and its repeat. */
export async function editDuringCall(world: World): Promise<void> {
  const { dice } = world
  for (const device of world.devices) if (dice.chance(0.7)) sync(world, device)
  for (let left = dice.below(PATIENCE); left > 0 && doneUnheard(world).length === 0; left--)
    await world.run(1, () => look(world))
  const sent = dice.any(doneUnheard(world)) ?? dice.any(undecided(world))
  const object = sent && objectOf(world, sent)
  if (!sent || object === undefined) return
  const { backend, whose } = placeOf(world, sent)
  const named = VALUES.filter(name => name in (sent.mutation.attributes ?? {}))
  const attribute = dice.any(named.length > 0 ? named : VALUES) as string
  const attributes = dice.chance(0.35) ? null : { [attribute]: world.newValue(attribute) }
  publish(world, backend, whose, object, () => {
    if (backend.objects(whose).has(object)) carryOut(world, backend, whose, object, attributes)
  })
}

/** Undoes the effect of an unanswered call before it is repeated: for the server nothing has changed. */
export async function undo(world: World): Promise<void> {
  const sent = await updateUnheard(world)
  if (!sent) return
  const { backend, whose } = placeOf(world, sent)
  for (let left = PATIENCE; left > 0 && backend.isBusy(whose); left--) await world.run(1, () => look(world))
  if (!backend.isBusy(whose) && undecided(world).includes(sent)) putBack(world, sent)
}

/** They do so before the call is answered. */
export async function undoDuring(world: World): Promise<void> {
  const sent = await updateUnheard(world)
  if (sent) putBack(world, sent)
}

/** An update that the backend did and no journal knows yet, waited for. */
async function updateUnheard(world: World): Promise<SentMutation | undefined> {
  const { dice } = world
  for (const device of world.devices) if (dice.chance(0.7)) sync(world, device)
  for (let left = dice.below(PATIENCE); left > 0 && doneUnheard(world).length === 0; left--)
    await world.run(1, () => look(world))
  return dice.any(doneUnheard(world).filter(({ mutation }) => mutation.operation === 'update'))
}

function putBack(world: World, sent: SentMutation): void {
  const { backend, whose } = placeOf(world, sent)
  const object = world.observations.idOf(sent.collection, sent.mutation.object)
  const names = Object.keys(sent.mutation.attributes ?? {})
  const before = Object.fromEntries(names.map(name => [name, sent.mutation.was?.[name] ?? null]))
  publish(world, backend, whose, object, () => {
    if (backend.objects(whose).has(object)) carryOut(world, backend, whose, object, before)
  })
}

const undecided = ({ observations }: World): readonly SentMutation[] =>
  observations.sent().filter(({ outcome }) => outcome === undefined || outcome.status === 'in_doubt')

/** What a backend did and no journal knows yet. */
const doneUnheard = (world: World): readonly SentMutation[] =>
  undecided(world).filter(sent => effectOf(world, sent) !== undefined)

const effectOf = (world: World, { collection, mutation }: SentMutation) =>
  world.backend(collection.source).effects.find(({ key }) => key === mutation.key)

/** They change an object and take it back before the server is told: a push that changes nothing. */
export function takeBack(world: World): void {
  const backend = world.backend((world.dice.any(world.plan.sources) as { name: string }).name)
  const whose = world.dice.any(backend.partitions())
  const object = whose === undefined ? undefined : world.dice.any([...backend.objects(whose).keys()])
  if (whose === undefined || object === undefined) return
  const other = world.newValue('b')
  world.start(() =>
    backend.telling(whose, async () => {
      const before = backend.objects(whose).get(object)
      if (!before) return
      carryOut(world, backend, whose, object, { b: other })
      for (let left = 3; left > 0; left--) await world.scheduler.delay(`${object} is taken back soon`)
      if (backend.objects(whose).has(object)) carryOut(world, backend, whose, object, { b: before['b'] ?? null })
      await pushStates(world, backend, whose, [object])
    }),
  )
}

function placeOf(world: World, { collection }: SentMutation): { readonly backend: Backend; readonly whose: string } {
  return { backend: world.backend(collection.source), whose: backendPartition(collection.partition) }
}

/** The id by which the backend knows it; undefined where it does not. */
function objectOf(world: World, sent: SentMutation): string | undefined {
  const { operation, object } = sent.mutation
  if (operation === 'create') return effectOf(world, sent)?.object
  return world.observations.idOf(sent.collection, object)
}
