import type { UndecidedMutation } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { SimulatedWorld } from '../world/world.js'
import { attempt, request } from './administrator.js'

/** An operator's decision about a mutation in doubt. `mistake`: settled as done without checking. */
export type OperatorDecision = 'retry' | 'discard' | 'settle' | 'mistake'

/** How an operator decides: what the backend did is never retried. */
type DecisionRule = (facts: { readonly isDone: boolean }) => OperatorDecision | undefined

/** Decides mutations in doubt by the REST API. Undefined: the mutation stays in doubt. */
export async function decideAllByApi(world: SimulatedWorld, choose: DecisionRule = chooserOf(world)): Promise<void> {
  const { text } = await request(world, { method: 'GET', path: '/rc/v1/mutations?state=in_doubt' })
  for (const doubt of JSON.parse(text) as readonly UndecidedMutation[]) await decide(world, doubt, choose)
}

/** Retries a mutation whose key another partition has too, and discards it if the server refuses that. */
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

/** Returns the status of the last answer. */
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
  // A retry whose answer was lost may have run: the operator checks the backend before repeating it.
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

/** The state of the object in the backend. */
function backendStateOf(world: SimulatedWorld, doubt: UndecidedMutation): object {
  const effect = effectOf(world, doubt)
  if (effect === undefined || doubt.operation === 'delete') return {}
  const attributes = world.backend(doubt.source).objects(effect.partition).get(effect.object)
  return { ...(doubt.operation === 'create' && { object: effect.object }), ...(attributes && { attributes }) }
}
