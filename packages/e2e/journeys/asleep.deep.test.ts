import { until } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { App } from '../chaos/app.js'
import type { Member } from '../chaos/fleet.js'
import type { ScriptedCall } from '../chaos/scripted-backend.js'
import { findViolations, settleWorld } from '../chaos/settle-and-check.js'
import type { SourceName } from '../chaos/sources.js'
import { type ChaosWorld, LEASE, openWorld } from '../chaos/world.js'
import { endAll } from '../harness/process.js'
import { STORES } from '../harness/stores.js'

const redis = STORES.find(({ name }) => name === 'Redis')
const devices = [
  ['phone', 'ada'],
  ['tablet', 'ada'],
] as const

let world: ChaosWorld
afterEach(async () => {
  await world.close()
  await endAll()
})

/** Suspends the server that makes the first matching call, before it is answered; resolves when the load balancer uses only the others. */
async function sleepsAt(matches: (requested: ScriptedCall) => boolean): Promise<Member> {
  const asleep = Promise.withResolvers<Member>()
  world.backend.hold = async requested => {
    if (!matches(requested)) return
    world.backend.hold = async () => undefined
    const member = world.servers.find(({ name }) => name === requested.server) as Member
    member.stop()
    asleep.resolve(member)
  }
  const member = await asleep.promise
  await world.proxy.untilReady(1)
  return member
}

async function untilLeasesAreOver(): Promise<void> {
  const over = (await world.store.now()) + LEASE * 1000
  await until(async () => (await world.store.now()) > over)
}

/** Creates an object and syncs it to every device. */
async function shared(source: SourceName): Promise<string> {
  const login = 'ada'
  world.apps[0]?.sdk.models[source].create({ note: 'first' })
  for (const app of world.apps) await app.sync()
  return Object.keys(world.backend.objects(source, login))[0] as string
}

const times = (note: string): number =>
  world.backend.deeds.filter(({ attributes }) => attributes?.['note'] === note).length

if (!redis) test.skip('several servers need a redis-server', () => undefined)
else
  describe('a server that sleeps longer than its lease', () => {
    test('while it calls an idempotent backend: another server repeats the call, and later writes stay', async () => {
      world = await openWorld({ address: redis.address, devices })
      const [phone, tablet] = world.apps as [App, App]
      const object = await shared('Safe')
      phone.sdk.models.Safe.update(object, { note: 'of the phone' })
      const sleeping = sleepsAt(({ operation }) => operation === 'update')
      const syncing = phone.sync()
      const member = await sleeping
      tablet.sdk.models.Safe.update(object, { note: 'of the tablet' })
      await until(async () => {
        await tablet.sync()
        return tablet.sdk.changes().length === 0
      })
      member.resume()
      await syncing
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(world.backend.objects('Safe', 'ada')).toMatchObject({ [object]: { note: 'of the tablet' } })
      expect([times('of the phone'), times('of the tablet')]).toEqual([1, 1])
    })

    test('while it calls one that is not idempotent: no server repeats it, and its late answer decides', async () => {
      world = await openWorld({ address: redis.address, devices })
      const [phone] = world.apps as [App, App]
      const object = await shared('Unsafe')
      phone.sdk.models.Unsafe.update(object, { note: 'once' })
      const sleeping = sleepsAt(({ operation }) => operation === 'update')
      const syncing = phone.sync()
      const member = await sleeping
      const admin = await world.admin()
      await until(async () => (await admin.operations.undecided()).length > 0)
      expect(await admin.operations.undecided()).toMatchObject([{ source: 'Unsafe', state: 'in_doubt', object }])
      member.resume()
      await syncing
      await until(async () => (await admin.operations.undecided()).length === 0)
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(phone.sdk.refused()).toEqual([])
      expect(times('once')).toBe(1)
    })

    test('while it receives a query: the result is late, and changes nothing', async () => {
      world = await openWorld({ address: redis.address, devices })
      const [phone, tablet] = world.apps as [App, App]
      world.backend.put('Safe', 'ada', 'old', { note: 'old' })
      const sleeping = sleepsAt(({ operation, source }) => operation === 'query' && source === 'Safe')
      const syncing = phone.sync()
      const member = await sleeping
      await untilLeasesAreOver()
      world.backend.put('Safe', 'ada', 'old', undefined)
      world.backend.put('Safe', 'ada', 'new', { note: 'new' })
      await tablet.sync()
      expect(tablet.rows('Safe')).toEqual({ new: { note: 'new' } })
      const collection = { source: 'Safe', partition: 'user:ada' }
      const { version } = (await world.store.collections.head(collection)) ?? {}
      member.resume()
      await until(() => member.log.includes('came too late (fence)'))
      expect(await world.store.collections.head(collection)).toMatchObject({ version, count: 1 })
      await syncing
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
    })
  })
