import { checkInvariants } from '../checks/invariants.js'
import { TEAMS } from '../world/partitions.js'
import { LOGINS } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf } from './action.js'
import { edit } from './edit.js'
import { sync } from './sync.js'

/** Actions on sources with one partition per team. */
export const teamActions = {
  /** Moves a user to another team, sometimes during syncs. */
  async changeTeam(world: SimulatedWorld) {
    const { dice, teams } = world
    const login = dice.any(LOGINS) as string
    if (dice.chance(0.6)) {
      const device = deviceOf(world)
      for (let left = dice.below(3); left > 0 && !device.isDead; left--) edit(world, device)
      sync(world, device)
      await world.run(dice.below(50), () => checkInvariants(world))
    }
    const team = TEAMS.find(one => one !== teams.get(login)) as string
    teams.set(login, team)
    world.note(`    ${login} is in the team ${team} now`)
    for (const device of world.devices) if (device.owner === login) device.invalidateAll()
  },
}
