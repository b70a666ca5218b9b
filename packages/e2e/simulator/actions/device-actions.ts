import type { SimulatedDevice } from '../actors/device.js'
import { startApp } from '../checks/automatic-sync.js'
import { LOGINS } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { type Action, beginSyncs, deviceOf, sourceOf } from './action.js'
import { edit } from './edit.js'
import { sync } from './sync.js'

/** Removes all data from a device, or all except what a client reset retains. */
export function emptyDevice(world: SimulatedWorld, device: SimulatedDevice): void {
  if (device.isDead) return
  device.emptied = true
  device.discardAll()
  try {
    if (world.dice.chance(0.5)) device.sdk.databaseFullReset()
    else device.sdk.databaseClientReset()
  } catch (error) {
    if (!device.isDead) throw error
  }
  device.invalidateAll()
}

/** Actions of devices and their users. */
export const deviceActions = {
  edit(world: SimulatedWorld) {
    const device = deviceOf(world)
    for (let left = world.dice.between(1, 3); left > 0 && !device.isDead; left--) edit(world, device)
  },

  sync(world: SimulatedWorld) {
    sync(world, deviceOf(world), world.dice.chance(0.2) ? sourceOf(world).name : undefined)
  },

  killDevice(world: SimulatedWorld) {
    const device = deviceOf(world)
    if (device.isDead) return
    if (world.dice.chance(0.3)) return device.process.kill()
    device.process.killAt({ left: world.dice.below(10), edge: world.dice.chance(0.5) ? 'before' : 'after' })
    for (let left = world.dice.below(3); left > 0 && !device.isDead; left--) edit(world, device)
    if (!device.isDead) sync(world, device)
  },

  async secondProcess(world: SimulatedWorld) {
    const device = deviceOf(world)
    if (device.isDead) return
    if (world.plan.theme === 'processes') await beginSyncs(world, [device])
    if (device.isDead) return
    const { sdk, process } = device.second()
    world.note(`    ${device.name} is opened by a second process`)
    if (sdk.isLoggedIn()) world.start(() => Promise.race([sdk.sync().then(() => {}), process.death]))
    world.start(async () => {
      await world.scheduler.delay(`the second process of ${device.name} ends`)
      process.kill()
    })
  },

  syncTwice(world: SimulatedWorld) {
    const device = deviceOf(world)
    sync(world, device)
    const { sdk, process } = device.second()
    sdk.pageSize = world.dice.between(1, 5)
    if (!sdk.isLoggedIn()) return process.kill()
    world.note(`    ${device.name} syncs in a second process`)
    world.start(() => Promise.race([sdk.sync().then(() => {}), process.death]).finally(() => process.kill()))
  },

  /** Damages a device's rows, and makes the device load everything again as its operator would. */
  async nonce(world: SimulatedWorld) {
    const device = deviceOf(world)
    const client = device.isDead || device.syncs > 0 ? null : device.sdk.clientId()
    if (client === null) return
    const { name, partition, storage } = sourceOf(world)
    if (device.sdk.changes(name).length === 0) {
      device.disk.damage(`DELETE FROM "${partition}"."${storage}_${name}"`)
      device.damaged.add(name)
    }
    device.invalidateAll()
    await world.servers.retrying.registry.merge('client', client, { 'nonce:*': world.newValue('nonce ') })
  },

  async forgetClient(world: SimulatedWorld) {
    const device = deviceOf(world)
    const client = device.isDead ? null : device.sdk.clientId()
    if (client === null) return
    world.start(async () => {
      const path = `/rc/v1/users/${device.owner}/clients/${client}`
      await world.servers.fetch(
        new Request(`http://sync.test${path}`, {
          method: 'DELETE',
          headers: { 'x-sync-api-token': world.servers.token },
        }),
        world.dice,
      )
    })
  },

  resetDevice(world: SimulatedWorld) {
    emptyDevice(world, deviceOf(world))
  },

  switchUser(world: SimulatedWorld) {
    const device = deviceOf(world)
    if (device.isDead || device.syncs > 0) return
    const login = LOGINS.find(one => one !== device.owner) as string
    const discard = world.dice.chance(0.5)
    device.syncs++
    world.note(`    ${device.name} is given to ${login}${discard ? ', who discards' : ''}`)
    world.start(async () => {
      const { process } = device
      try {
        await Promise.race([device.sdk.login(login, 'secret', { discard }), process.death])
      } finally {
        device.syncs--
        if (!process.isDead) device.noticeOwner()
      }
    })
  },

  bringUp(world: SimulatedWorld) {
    startApp(world, deviceOf(world))
  },

  migrate(world: SimulatedWorld) {
    const device = deviceOf(world)
    if (device.syncs > 0) return
    device.schemaVersion++
    device.reopen()
  },
} satisfies { readonly [name: string]: Action }
