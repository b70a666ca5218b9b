import { askRedis, type RunningRedis, redisIsThere, startRedis } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import type { App } from '../chaos/app.js'
import { findViolations, settleWorld } from '../chaos/settle-and-check.js'
import { type ChaosWorld, openWorld } from '../chaos/world.js'
import { endAll } from '../harness/process.js'
import { type Switchboard, switchboard } from '../harness/switchboard.js'
import { Dice } from '../simulator/world/dice.js'

const devices = [
  ['phone', 'ada'],
  ['tablet', 'ada'],
  ['laptop', 'grace'],
] as const

let world: ChaosWorld
let board: Switchboard
let redis: readonly RunningRedis[] = []
afterEach(async () => {
  await world.close()
  await endAll()
  await board.close()
  await Promise.all(redis.map(one => one.stop()))
})

/** Starts servers on a Redis with a replica. The returned function runs writes that the replica misses, and then makes it the primary. */
async function replicated() {
  const primary = await startRedis()
  const replica = await startRedis({ replicaof: `127.0.0.1 ${primary.port}` })
  redis = [primary, replica]
  board = await switchboard(primary.port)
  world = await openWorld({ address: () => `redis://127.0.0.1:${board.port}`, devices })
  return async (loses: () => Promise<void>): Promise<void> => {
    await askRedis(primary, 'SET written 1\r\nWAIT 1 0')
    await askRedis(replica, 'REPLICAOF NO ONE')
    await loses()
    await primary.stop()
    // Non-idempotent calls wait until the new primary has a replica.
    redis = [...redis, await startRedis({ replicaof: `127.0.0.1 ${replica.port}` })]
    board.pointTo(replica.port)
  }
}

async function use(dice: Dice, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const app = dice.any(world.apps) as App
    for (let edits = dice.between(0, 3); edits > 0; edits--) app.edit(dice)
    await app.sync()
  }
}

if (!redisIsThere()) test.skip('a fail-over needs a redis-server', () => undefined)
else {
  test.each([1, 2])(
    'with seed %i, a lagging replica takes over: devices notice, and converge on the backend',
    async seed => {
      const dice = new Dice(seed)
      const failOver = await replicated()
      world.backend.moods = new Dice(seed + 1)
      await use(dice, 15)
      await failOver(() => use(dice, 15))
      await use(dice, 5)
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(world.apps.flatMap(({ resyncs }) => resyncs)).not.toEqual([])
    },
    120_000,
  )

  test('a user who logged in meanwhile logs in again, and loses nothing', async () => {
    const dice = new Dice(7)
    const failOver = await replicated()
    const joined = Promise.withResolvers<App>()
    await failOver(async () => {
      const watch = await world.join('watch', 'linus')
      for (let edits = 0; edits < 5; edits++) watch.edit(dice)
      await watch.sync()
      for (let edits = 0; edits < 5; edits++) watch.edit(dice)
      joined.resolve(watch)
    })
    const watch = await joined.promise
    while (!watch.failures.some(failure => failure.startsWith('logged_out'))) await watch.sync()
    await watch.sdk.login('linus', 'linus')
    await settleWorld(world)
    expect(await findViolations(world)).toEqual([])
  })
}
