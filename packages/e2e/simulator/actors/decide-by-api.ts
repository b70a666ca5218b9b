import type { UndecidedMutation } from '@godwit/protocol'
import type { World } from '../world/world.js'
import { attempt, request } from './administrator.js'

/** What an operator makes of a doubt. `mistake`: it is settled as done, though the operator did not look. */
export type Decision = 'retry' | 'discard' | 'settle' | 'mistake'

/** How an operator decides about a mutation: what the backend did is never put back in line. */
type Choose = (facts: { readonly isDone: boolean }) => Decision | undefined

/** An operator looks at what is in doubt and decides by the REST API. Undefined: it stays in doubt. */
export async function decideAllByApi(world: World, choose: Choose = chooserOf(world)): Promise<void> {
  const { text } = await request(world, { method: 'GET', path: '/rc/v1/mutations?state=in_doubt' })
  for (const doubt of JSON.parse(text) as readonly UndecidedMutation[]) await decide(world, doubt, choose)
}

const chooserOf =
  ({ dice }: World): Choose =>
  ({ isDone }) => {
    if (dice.chance(0.3)) return undefined
    if (!isDone) return dice.any(['retry', 'retry', 'discard', 'mistake'] as const)
    return dice.any(['discard', 'settle'] as const)
  }

async function decide(world: World, doubt: UndecidedMutation, choose: Choose): Promise<void> {
  const { id, key } = doubt
  const isDone = (): boolean => effectOf(world, doubt) !== undefined
  const chosen = choose({ isDone: isDone() })
  if (chosen === undefined) return
  world.operated.add(key)
  // A retry whose answer was lost may have run: before repeating it, the operator looks at the backend again.
  for (let answer: unknown; answer === undefined; ) {
    const decision = chosen === 'retry' && isDone() ? 'discard' : chosen
    const verb = decision === 'mistake' ? 'settle' : decision
    const path = `/rc/v1/mutations/${encodeURIComponent(id)}/${verb}`
    answer = await attempt(world, {
      method: 'POST',
      path,
      ...(decision === 'settle' && { body: foundBy(world, doubt) }),
    })
    world.note(`    ${decision} of ${key}`)
  }
}

const effectOf = (world: World, { key, source }: UndecidedMutation) =>
  world.backend(source).effects.find(effect => effect.key === key)

/** What an operator finds in the backend. */
function foundBy(world: World, doubt: UndecidedMutation): object {
  const effect = effectOf(world, doubt)
  if (effect === undefined || doubt.operation === 'delete') return {}
  const attributes = world.backend(doubt.source).objects(effect.partition).get(effect.object)
  return { ...(doubt.operation === 'create' && { object: effect.object }), ...(attributes && { attributes }) }
}
