import { request, sessionOf, setInterval, type UserSession } from '../actors/administrator.js'
import { decideAllByApi } from '../actors/decide-by-api.js'
import { requestQuery } from '../actors/operator.js'
import { checkDeletedUserGone, checkIsNewUser, checkSessionEnded } from '../checks/administration.js'
import { checkInvariants } from '../checks/invariants.js'
import { LOGINS } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf } from './action.js'
import { sync } from './sync.js'

/** Milliseconds after which no process relies on cached sessions and settings. */
const MAX_STALENESS = 6000

const runToRest = (world: SimulatedWorld): Promise<void> =>
  world.run(Number.POSITIVE_INFINITY, () => checkInvariants(world))

/** Runs an administrator's action while devices sync, until all events have happened. */
async function whileDevicesSync(world: SimulatedWorld, run: () => Promise<void>): Promise<void> {
  const { dice } = world
  for (const device of world.devices) if (dice.chance(0.5)) sync(world, device)
  await world.run(dice.below(30), () => checkInvariants(world))
  world.start(run)
  await runToRest(world)
}

/** Actions of administrators by the REST API. */
export const administrationActions = {
  /** Deletes a user and all of that user's data; a later login of that name is another user. */
  async removeUser(world: SimulatedWorld) {
    const login = world.dice.any(LOGINS) as string
    let session: UserSession | undefined
    let isDone = false
    await whileDevicesSync(world, async () => {
      session = await sessionOf(world, login)
      const { status } = await request(world, { method: 'DELETE', path: `/rc/v1/users/${login}` })
      isDone = status === 200
      world.note(`    ${login} is deleted (${status})`)
    })
    if (!isDone) return
    await checkDeletedUserGone(world, login)
    if (world.dice.chance(0.5)) await checkIsNewUser(world, login, session)
    await world.pass(MAX_STALENESS, () => checkInvariants(world))
    await checkSessionEnded(world, session)
  },

  /** Ends the sessions of a login; its devices have to log in again. */
  async endSessions(world: SimulatedWorld) {
    const login = world.dice.any(LOGINS) as string
    let session: UserSession | undefined
    await whileDevicesSync(world, async () => {
      session = await sessionOf(world, login)
      const { status } = await request(world, { method: 'DELETE', path: `/rc/v1/users/${login}/sessions` })
      if (status !== 200) session = undefined
      world.note(`    sessions of ${login} end (${status})`)
    })
    await world.pass(MAX_STALENESS, () => checkInvariants(world))
    await checkSessionEnded(world, session)
  },

  /** Changes a source's poll interval, or turns polling off. */
  async changeInterval(world: SimulatedWorld) {
    const { dice } = world
    const source = dice.any(world.plan.sources.filter(({ pollInterval }) => pollInterval >= 0))
    if (source === undefined) return
    const seconds = dice.any([-1, -1, 0, 60]) as number
    world.intervals.set(source.name, undefined)
    sync(world, deviceOf(world))
    await runToRest(world)
    world.start(async () => {
      await setInterval(world, source.name, seconds)
      world.note(`    ${source.name} has the poll_interval ${seconds}`)
    })
    await runToRest(world)
    await world.pass(MAX_STALENESS, () => checkInvariants(world))
    world.intervals.set(source.name, seconds)
  },

  /** Resets the server: users, clients, collections and changed settings. */
  async resetSystem(world: SimulatedWorld) {
    let session: UserSession | undefined
    for (const source of world.intervals.keys()) world.intervals.set(source, undefined)
    await whileDevicesSync(world, async () => {
      session = await sessionOf(world, LOGINS[0])
      await request(world, { method: 'POST', path: '/rc/v1/system/reset' })
      world.note('    the server is reset')
      for (const { collection } of world.observations.all())
        if (world.backend(collection.source).plan.pollInterval < 0) await requestQuery(world, collection)
    })
    await world.pass(MAX_STALENESS, () => checkInvariants(world))
    await checkSessionEnded(world, session)
  },

  /** Decides mutations in doubt through the API: those the backend did not perform are retried, others settled or discarded. */
  decideByApi(world: SimulatedWorld) {
    world.start(() => decideAllByApi(world))
  },
}
