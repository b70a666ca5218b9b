import { edit } from './app.js'
import { backendWrites } from './backend-people.js'
import { compactLate } from './compact-late.js'
import type { Device } from './device.js'
import { look } from './invariants.js'
import { meddle, takeBack, undo } from './meddle.js'
import { askAnew, decideDoubts } from './operator.js'
import { overtake } from './overtake.js'
import { LOGINS, type SourcePlan } from './plan.js'
import { tell } from './plugin.js'
import { goBack, rewind } from './rewind.js'
import { sync } from './sync.js'
import type { Verb } from './weights.js'
import type { World } from './world.js'

type Deed = (world: World) => void | Promise<void>

const deviceOf = ({ dice, devices }: World): Device => dice.any(devices) as Device
const sourceOf = ({ dice, plan }: World): SourcePlan => dice.any(plan.sources) as SourcePlan

/** What each step does; what follows from it happens afterwards. */
export const deeds: { readonly [Name in Verb]: Deed } = {
  edit(world) {
    const device = deviceOf(world)
    for (let left = world.dice.between(1, 3); left > 0 && !device.isDead; left--) edit(world, device)
  },

  sync(world) {
    sync(world, deviceOf(world), world.dice.chance(0.2) ? sourceOf(world).name : undefined)
  },

  backend(world) {
    for (let left = world.dice.between(1, 3); left > 0; left--) backendWrites(world)
  },

  plugin(world) {
    const backend = world.backend(sourceOf(world).name)
    const partition = world.dice.any(backend.partitions())
    if (partition === undefined) return
    world.start(() =>
      backend.telling(partition, () =>
        tell(world, backend, partition, [...backend.objects(partition).keys()].slice(-3)),
      ),
    )
  },

  async wait(world) {
    world.time.pass(world.dice.between(1, 15_000))
  },

  longWait(world) {
    world.time.pass(world.dice.between(20_000, 11 * 60_000))
  },

  killServer(world) {
    if (world.dice.chance(0.3)) world.servers.crash()
    else world.servers.doom({ left: world.dice.below(12), edge: world.dice.chance(0.5) ? 'before' : 'after' })
    sync(world, deviceOf(world))
  },

  killDevice(world) {
    const device = deviceOf(world)
    if (device.isDead) return
    if (world.dice.chance(0.3)) return device.process.kill()
    device.process.doom({ left: world.dice.below(10), edge: world.dice.chance(0.5) ? 'before' : 'after' })
    for (let left = world.dice.below(3); left > 0 && !device.isDead; left--) edit(world, device)
    if (!device.isDead) sync(world, device)
  },

  async secondProcess(world) {
    const device = deviceOf(world)
    if (device.isDead) return
    if (world.plan.theme === 'processes') await beginSyncs(world, [device])
    if (device.isDead) return
    const { sdk, process } = device.second()
    world.note(`    ${device.name} is opened by a second process`)
    if (sdk.isLoggedIn()) world.start(() => Promise.race([sdk.sync().then(() => {}), process.death]))
    world.start(async () => {
      await world.agenda.moment(`the second process of ${device.name} ends`)
      process.kill()
    })
  },

  syncTwice(world) {
    const device = deviceOf(world)
    sync(world, device)
    const { sdk, process } = device.second()
    sdk.pageSize = world.dice.between(1, 5)
    if (!sdk.isLoggedIn()) return process.kill()
    world.note(`    ${device.name} syncs in a second process`)
    world.start(() => Promise.race([sdk.sync().then(() => {}), process.death]).finally(() => process.kill()))
  },

  async compact(world) {
    if (world.plan.theme === 'floors') await beginSyncs(world)
    const chronicle = world.dice.any(world.records.all())
    if (!chronicle) return
    const { collections } = world.servers.steady
    await world.records.read(world.servers.steady, chronicle.collection)
    const { settle } = world.backend(chronicle.collection.source).plan
    const settled = await collections.versionAt(chronicle.collection, world.time.now() - settle * 1000)
    const below = Math.min(settled, world.dice.below(chronicle.version + 1))
    await collections.compact(chronicle.collection, { below, limit: 1 + world.dice.below(50) })
    world.note(`    the floor of ${chronicle.collection.source} rises to ${below}`)
  },

  /** A device is damaged: its operator makes it load everything anew. */
  async nonce(world) {
    const device = deviceOf(world)
    const client = device.isDead || device.syncs > 0 ? null : device.sdk.clientId()
    if (client === null) return
    const { name, partition, storage } = sourceOf(world)
    if (device.sdk.changes(name).length === 0) {
      device.disk.damage(`DELETE FROM "${partition}"."${storage}_${name}"`)
      device.damaged.add(name)
    }
    device.loosenAll()
    await world.servers.steady.registry.merge('client', client, { 'nonce:*': world.newValue('nonce ') })
  },

  async drop(world) {
    const chronicle = world.dice.any(world.records.all())
    if (!chronicle) return
    const { steady } = world.servers
    await steady.collections.drop(chronicle.collection)
    await askAnew(world, chronicle.collection)
    world.note(`    ${chronicle.collection.source} ${chronicle.collection.partition} is dropped`)
  },

  async reset(world) {
    await world.servers.steady.clear({ keep: ['user', 'credential', 'server'] })
    for (const { collection } of world.records.all()) await askAnew(world, collection)
  },

  async backUp(world) {
    world.copy = (await world.keeper.backUp()) ?? world.copy
  },

  async restore(world) {
    if (world.copy) await goBack(world, world.copy, { renewed: world.dice.chance(0.5) && world.keeper.renews })
  },

  rewind,

  async forgetClient(world) {
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

  resetDevice(world) {
    const device = deviceOf(world)
    if (device.isDead) return
    device.discardAll()
    try {
      if (world.dice.chance(0.5)) device.sdk.databaseFullReset()
      else device.sdk.databaseClientReset()
    } catch (error) {
      if (!device.isDead) throw error
    }
    device.loosenAll()
  },

  switchUser(world) {
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

  migrate(world) {
    const device = deviceOf(world)
    if (device.syncs > 0) return
    device.schemaVersion++
    device.reopen()
  },

  async ask(world) {
    const chronicle = world.dice.any(world.records.all())
    if (chronicle) await world.servers.steady.collections.ask(chronicle.collection)
  },

  async operator(world) {
    await decideDoubts(world, 1)
  },

  meddle,
  takeBack,
  undo,
  compactLate,
  overtake,

  async meanwhile(world) {
    await world.pass(world.dice.between(1000, 15_000), () => look(world))
  },
}

/** Passes that are under way when a floor rises or another process begins one. */
async function beginSyncs(world: World, devices = world.devices): Promise<void> {
  for (const device of devices) sync(world, device)
  await world.run(world.dice.between(5, 60), () => look(world))
  for (let left = world.dice.below(4); left > 0; left--) backendWrites(world)
}
