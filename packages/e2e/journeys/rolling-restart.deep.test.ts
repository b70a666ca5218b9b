import { afterEach, expect, test } from '@jest/globals'
import { findViolations, settleWorld } from '../chaos/settle-and-check.js'
import { type ChaosWorld, openWorld } from '../chaos/world.js'
import { endAll } from '../harness/process.js'
import { STORES } from '../harness/stores.js'
import { Dice } from '../simulator/world/dice.js'

const redis = STORES.find(({ name }) => name === 'Redis')
const devices = [
  ['phone', 'ada'],
  ['tablet', 'ada'],
  ['laptop', 'grace'],
  ['watch', 'linus'],
] as const

let world: ChaosWorld
afterEach(async () => {
  await world.close()
  await endAll()
})

/** Edits and syncs on all devices repeatedly until the work is done. */
async function underLoad(work: () => Promise<void>): Promise<number> {
  const dice = new Dice(1)
  let working = true
  let syncs = 0
  const using = world.apps.map(async app => {
    while (working) {
      app.edit(dice)
      await app.sync()
      syncs++
    }
  })
  await work().finally(() => {
    working = false
  })
  await Promise.all(using)
  return syncs
}

if (!redis) test.skip('several servers need a redis-server', () => undefined)
else
  test('a rolling restart fails no sync, and loses nothing', async () => {
    world = await openWorld({ address: redis.address, devices, limits: { stopDelay: 0.5 } })
    const { apps, proxy, servers } = world
    world.backend.hold = () => new Promise(resolve => setTimeout(resolve, 5))
    const syncs = await underLoad(async () => {
      for (const server of servers) {
        expect(await server.terminate()).toBe(0)
        await server.start()
        await proxy.untilReady(servers.length)
      }
    })
    expect(apps.flatMap(({ failures }) => failures)).toEqual([])
    expect(proxy.failed).toEqual([])
    expect(syncs).toBeGreaterThan(apps.length)
    await settleWorld(world)
    expect(await findViolations(world)).toEqual([])
  }, 120_000)
