import { amount, redisIsThere } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { history } from '../chaos/history.js'
import { ReplicatedCluster } from '../chaos/replicated-cluster.js'
import { ReplicatedRedis } from '../chaos/replicated-redis.js'
import { findViolations, settleWorld } from '../chaos/settle-and-check.js'
import { type ChaosWorld, openWorld } from '../chaos/world.js'
import { endAll } from '../harness/process.js'

const first = Number(process.env['CHAOS_FIRST'] ?? 5)
const histories = Number(process.env['CHAOS_HISTORIES'] ?? amount({ deep: 1, night: 40 }))
const seeds = Array.from({ length: histories }, (_, at) => first + at)
const devices = [
  ['phone', 'ada'],
  ['tablet', 'ada'],
  ['laptop', 'grace'],
] as const

let world: ChaosWorld | undefined
const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await world?.close()
  world = undefined
  await endAll()
  for (const one of running.splice(0)) await one.stop()
})

const kept = <One extends { stop(): Promise<void> }>(one: One): One => {
  running.push(one)
  return one
}

if (!redisIsThere()) test.skip('replicas need a redis-server', () => undefined)
else {
  test.each(seeds)(
    'with seed %i, fail-overs of Redis and crashes of servers lose and repeat no edit',
    async seed => {
      const redis = kept(await ReplicatedRedis.start())
      world = await openWorld({ address: () => redis.address, devices, queued: true, listening: true })
      await history(world, seed, redis)
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(redis.happened).not.toEqual([])
    },
    300_000,
  )

  test.each(seeds.slice(0, Math.ceil(histories / 2)))(
    'with seed %i, fail-overs of a Cluster and crashes of servers lose and repeat no edit',
    async seed => {
      const cluster = kept(await ReplicatedCluster.start())
      world = await openWorld({ address: () => cluster.address, devices, queued: true, listening: true })
      await history(world, seed, cluster)
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(cluster.happened).not.toEqual([])
      expect(world.ledger.edits.length).toBeGreaterThan(20)
    },
    300_000,
  )
}
