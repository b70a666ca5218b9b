import type { UndecidedMutation } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { SimulatedWorld } from '../world/world.js'
import { attempt, request } from './administrator.js'

/** An operator's decision about a mutation in doubt. `mistake`: settle it as done without checking the backend. */
export type OperatorDecision = 'retry' | 'discard' | 'settle' | 'mistake'

/** Chooses a decision by whether the backend performed the change; undefined leaves the mutation in doubt. */
type DecisionRule = (facts: { readonly isDone: boolean }) => OperatorDecision | undefined

/** Decides all mutations in doubt through the REST API. */
export async function decideAllByApi(world: SimulatedWorld, choose: DecisionRule = chooserOf(world)): Promise<void> {
  const { text } = await request(world, { method: 'GET', path: '/rc/v1/mutations?state=in_doubt' })
  for (const doubt of JSON.parse(text) as readonly UndecidedMutation[]) await decide(world, doubt, choose)
}

/** Retries a mutation whose key exists in another partition too; discards it if the server refuses the retry. */
export async function retryByApi(
  world: SimulatedWorld,
  { source, partition }: CollectionId,
  key: string,
): Promise<void> {
  const { text } = await request(world, { method: 'GET', path: '/rc/v1/mutations?state=in_doubt&limit=1000' })
  const doubts = JSON.parse(text) as readonly UndecidedMutation[]
  const doubt = doubts.find(one => one.source === source && one.partition === partition && one.key === key)
  if (doubt && (await decide(world, doubt, () => 'retry')) === 422) await decide(world, doubt, () => 'discard')
}

const chooserOf =
  ({ dice }: SimulatedWorld): DecisionRule =>
  ({ isDone }) => {
    if (dice.chance(0.3)) return undefined
    if (!isDone) return dice.any(['retry', 'retry', 'discard', 'mistake'] as const)
    return dice.any(['discard', 'settle'] as const)
  }

/** Sends a decision until a server responds. Returns the status, or undefined if the mutation stays in doubt. */
async function decide(
  world: SimulatedWorld,
  doubt: UndecidedMutation,
  choose: DecisionRule,
): Promise<number | undefined> {
  const { id, key } = doubt
  const isDone = (): boolean => effectOf(world, doubt) !== undefined
  const chosen = choose({ isDone: isDone() })
  if (chosen === undefined) return undefined
  world.operated.add(key)
  // A retry without a response may have run: the operator checks the backend before sending it again.
  for (;;) {
    const decision = chosen === 'retry' && isDone() ? 'discard' : chosen
    const verb = decision === 'mistake' ? 'settle' : decision
    const path = `/rc/v1/mutations/${encodeURIComponent(id)}/${verb}`
    const answer = await attempt(world, {
      method: 'POST',
      path,
      ...(decision === 'settle' && { body: backendStateOf(world, doubt) }),
    })
    world.note(`    ${decision} of ${key}`)
    if (answer) return answer.status
  }
}

const effectOf = (world: SimulatedWorld, { key, source }: UndecidedMutation) =>
  world.backend(source).effects.find(effect => effect.key === key)

/** Returns the state of the mutation's object in the backend, as the body of a settlement. */
function backendStateOf(world: SimulatedWorld, doubt: UndecidedMutation): object {
  const effect = effectOf(world, doubt)
  if (effect === undefined || doubt.operation === 'delete') return {}
  const attributes = world.backend(doubt.source).objects(effect.partition).get(effect.object)
  return { ...(doubt.operation === 'create' && { object: effect.object }), ...(attributes && { attributes }) }
}
