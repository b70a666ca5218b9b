import { request } from '../actors/administrator.js'
import { checkReportedObjects } from '../checks/client-reads.js'
import { checkInvariants } from '../checks/invariants.js'
import { Violation } from '../checks/violation.js'
import { LOGINS } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { deviceOf, sourceOf } from './action.js'
import { sync } from './sync.js'

/** Actions of operators through the REST API, while devices sync. */
export const operationsActions = {
  /** Reads the documents of a device, during or after a pass. */
  async readDevice(world: SimulatedWorld) {
    const device = deviceOf(world)
    if (world.dice.chance(0.7)) sync(world, device)
    await world.run(world.dice.below(60), () => checkInvariants(world))
    world.start(() => checkReportedObjects(world, device))
  },

  /** Pings users. The response names those that cannot be reached, and nothing else changes. */
  ping(world: SimulatedWorld) {
    const { name } = sourceOf(world)
    world.start(async () => {
      const body = { user_id: [...LOGINS], sources: [name], message: 'Sync, please.' }
      const { status, text } = await request(world, { method: 'POST', path: '/rc/v1/users/ping', body })
      if (status !== 200) throw new Violation('a ping is answered', `${status} ${text}`)
    })
  },

  /** Makes a device load a source from the beginning. */
  renewClient(world: SimulatedWorld) {
    const device = deviceOf(world)
    const client = device.isDead ? null : device.sdk.clientId()
    if (client === null) return
    const { name } = sourceOf(world)
    world.start(async () => {
      const path = `/rc/v1/clients/${client}/sources/${name}/docs/cd`
      await request(world, { method: 'POST', path, body: { data: {} } })
      world.note(`    ${device.name} shall load ${name} again`)
    })
  },
}
