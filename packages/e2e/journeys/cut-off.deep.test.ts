import { partOf, type RunningRedis, redisIsThere, startRedis, until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { App } from '../chaos/app.js'
import type { Member } from '../chaos/fleet.js'
import type { ScriptedCall } from '../chaos/scripted-backend.js'
import { findViolations, settleWorld } from '../chaos/settle-and-check.js'
import type { SourceName } from '../chaos/sources.js'
import { type ChaosWorld, LEASE, openWorld } from '../chaos/world.js'
import { endAll } from '../harness/process.js'
import type { Switchboard } from '../harness/switchboard.js'

const devices = [
  ['phone', 'ada'],
  ['tablet', 'ada'],
] as const

/** Durations of the interruption; a process closes a connection that is silent for ten seconds. */
const CUTS = ['until its lease is over', 'until it has given up the connection too'] as const

/** Whether bytes sent during the interruption arrive after it, or never. */
const BYTES = ['hold', 'swallow'] as const
const CASES = CUTS.flatMap(cut => BYTES.map(bytes => [cut, bytes] as const))

let redis: RunningRedis
let world: ChaosWorld
beforeEach(async () => {
  redis = await startRedis()
  world = await openWorld({ address: () => redis.url, lines: redis.port, devices })
}, 120_000)
afterEach(async () => {
  for (const line of world.lines.values()) line.release()
  await world.close()
  await endAll()
  await redis.stop()
}, 120_000)

/** Cuts off from Redis the server that makes the first matching call, before it is answered; resolves when the load balancer has noticed. */
async function cutOffAt(bytes: (typeof BYTES)[number], matches: (requested: ScriptedCall) => boolean): Promise<Member> {
  const cut = Promise.withResolvers<Member>()
  world.backend.hold = async requested => {
    if (!matches(requested)) return
    world.backend.hold = async () => undefined
    world.lines.get(requested.server)?.[bytes]()
    cut.resolve(world.servers.find(({ name }) => name === requested.server) as Member)
  }
  const member = await cut.promise
  await world.proxy.untilReady(1)
  return member
}

const readyOf = async ({ url }: Member): Promise<number> => (await fetch(`${url}/readyz`)).status

async function untilOver(member: Member, cut: (typeof CUTS)[number]): Promise<void> {
  const over = (await world.store.now()) + LEASE * 1000
  await until(async () => (await world.store.now()) > over)
  expect(await readyOf(member)).toBe(503)
  if (cut === CUTS[0]) return
  const line = world.lines.get(member.name) as Switchboard
  const before = line.made
  await until(() => line.made > before)
}

async function reconnect({ name }: Member): Promise<void> {
  world.lines.get(name)?.release()
  await world.proxy.untilReady(2)
}

/** Creates an object and syncs it to every device. */
async function shared(source: SourceName): Promise<string> {
  world.apps[0]?.sdk.models[source].create({ note: 'first' })
  for (const app of world.apps) await app.sync()
  return Object.keys(world.backend.objects(source, 'ada'))[0] as string
}

const times = (note: string): number =>
  world.backend.deeds.filter(({ attributes }) => attributes?.['note'] === note).length

if (!redisIsThere()) test.skip('a server that is cut off needs a redis-server', () => undefined)
else
  describe.each(partOf(CASES, 3))('a server that is cut off from Redis %s (%s)', (cut, bytes) => {
    test('does nothing twice and loses nothing: another server goes on, and later writes stay', async () => {
      const [phone, tablet] = world.apps as [App, App]
      const object = await shared('Safe')
      phone.sdk.models.Safe.update(object, { note: 'of the phone' })
      const cutting = cutOffAt(bytes, ({ operation }) => operation === 'update')
      const syncing = phone.sync()
      const member = await cutting
      tablet.sdk.models.Safe.update(object, { note: 'of the tablet' })
      await until(async () => {
        await tablet.sync()
        return tablet.sdk.changes().length === 0
      })
      await untilOver(member, cut)
      await reconnect(member)
      await syncing
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(world.backend.objects('Safe', 'ada')).toMatchObject({ [object]: { note: 'of the tablet' } })
      expect([times('of the phone'), times('of the tablet')]).toEqual([1, 1])
    }, 120_000)

    test('settles what a backend that is not idempotent did as soon as it is back', async () => {
      const [phone] = world.apps as [App]
      const object = await shared('Unsafe')
      phone.sdk.models.Unsafe.update(object, { note: 'once' })
      const cutting = cutOffAt(bytes, ({ operation }) => operation === 'update')
      const syncing = phone.sync()
      const member = await cutting
      const admin = await world.admin()
      await until(async () => (await admin.operations.undecided()).length > 0)
      expect(await admin.operations.undecided()).toMatchObject([{ source: 'Unsafe', state: 'in_doubt', object }])
      await untilOver(member, cut)
      await reconnect(member)
      await until(async () => (await admin.operations.undecided()).length === 0)
      await syncing
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(phone.sdk.refused()).toEqual([])
      expect(times('once')).toBe(1)
      if (cut !== CUTS[1]) return
      expect(member.log).toContain('the store rejects responses of backends')
      expect(member.log).toContain('the store has accepted the responses of backends')
    }, 120_000)

    test('throws away the result of a query that another server ran meanwhile', async () => {
      const [phone, tablet] = world.apps as [App, App]
      world.backend.put('Safe', 'ada', 'old', { note: 'old' })
      const cutting = cutOffAt(bytes, ({ operation, source }) => operation === 'query' && source === 'Safe')
      const syncing = phone.sync()
      const member = await cutting
      await untilOver(member, cut)
      world.backend.put('Safe', 'ada', 'old', undefined)
      world.backend.put('Safe', 'ada', 'new', { note: 'new' })
      await until(async () => {
        await tablet.sync()
        return 'new' in tablet.rows('Safe')
      })
      expect(tablet.rows('Safe')).toEqual({ new: { note: 'new' } })
      await reconnect(member)
      await syncing
      const collection = { source: 'Safe', partition: 'user:ada' } as const
      expect(await world.store.collections.get(collection, ['old', 'new'])).toEqual({ new: { note: 'new' } })
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(member.log).toMatch(/came too late \(fence\)|Redis did not respond|store_unavailable/)
    }, 120_000)
  })
