import { TIMEOUT } from '../actors/backend-calls.js'
import { decideAllByApi, type OperatorDecision } from '../actors/decide-by-api.js'
import { checkInvariants } from '../checks/invariants.js'
import type { SourcePlan } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf } from './action.js'
import { edit } from './edit.js'
import { sync } from './sync.js'

/** Lets a call exceed its timeout and its server crash. Then the call succeeds or fails, and an operator decides the mutation. */
export async function decideLate(world: SimulatedWorld): Promise<void> {
  const { dice } = world
  const device = deviceOf(world)
  const { calls } = world.backend((dice.any(world.plan.sources) as SourcePlan).name)
  if (device.isDead) return
  const settled = (): Promise<void> => world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
  await settled()
  const blocked = Promise.withResolvers<void>()
  blocked.promise.catch(() => {})
  calls.hold = blocked.promise
  edit(world, device)
  sync(world, device)
  await settled()
  const isBlocked = calls.blocked > 0
  await world.pass(TIMEOUT + 1000, () => checkInvariants(world))
  sync(world, device)
  await settled()
  if (isBlocked) world.servers.crash()
  calls.hold = undefined
  const comesThrough = dice.chance(0.7)
  if (comesThrough) blocked.resolve()
  else blocked.reject(new Error('the connection broke'))
  world.scheduler.recordActivity()
  await settled()
  const decision: OperatorDecision = comesThrough && dice.chance(0.3) ? 'settle' : comesThrough ? 'discard' : 'mistake'
  world.start(() => decideAllByApi(world, () => decision))
}
