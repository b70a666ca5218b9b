import { request, sessionOf, setInterval, type UserSession } from '../actors/administrator.js'
import type { SimulatedWorld } from '../world/world.js'
import { checkInvariants } from './invariants.js'
import { Violation } from './violation.js'

/** Checks that no data of a deleted user remains or reappears before a login of that name. */
export async function checkDeletedUserGone({ plan, servers }: SimulatedWorld, login: string): Promise<void> {
  const { collections, registry } = servers.retrying
  for (const { name: source, partition } of plan.sources) {
    if (partition === 'app' || (await registry.get('user', login)) !== undefined) continue
    const head = await collections.head({ source, partition: `user:${login}` })
    if (head !== undefined)
      throw new Violation(
        'a deleted user stays deleted',
        `${source} of ${login} has ${head.count} objects in ${head.epoch}`,
      )
  }
}

/** Checks that a login by the name of a deleted user creates another user. */
export async function checkIsNewUser(
  world: SimulatedWorld,
  login: string,
  deleted: UserSession | undefined,
): Promise<void> {
  world.start(async () => {
    const given = await sessionOf(world, login)
    if (given !== undefined && given.user_id === deleted?.user_id)
      throw new Violation('a deleted user does not come back', `${login} is ${given.user_id} again`)
  })
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
}

/** Checks that every process refuses an ended session. */
export async function checkSessionEnded(world: SimulatedWorld, given: UserSession | undefined): Promise<void> {
  if (given === undefined) return
  const { session } = given
  world.start(async () => {
    for (let left = world.plan.servers * 2; left > 0; left--) {
      const { status, text } = await request(world, { method: 'POST', path: '/rc/v1/clients', body: {}, session })
      if (status < 400) throw new Violation('an ended session is refused', `it was answered ${status} ${text}`)
    }
  })
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
}

/** Restores every poll interval. */
export async function restoreIntervals(world: SimulatedWorld): Promise<void> {
  if (world.intervals.size === 0) return
  const changed = [...world.intervals.keys()]
  // A collection whose polling was turned off may still wait one interval for its first query.
  for (const name of changed) world.intervals.set(name, undefined)
  world.start(async () => {
    for (const name of changed) await setInterval(world, name, world.backend(name).plan.pollInterval)
  })
  await world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))
}
