import { type RunningRedis, redisIsThere, startRedis, startRedisCluster, startRedisSentinel } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createClient } from 'redis'
import { connectRedisStore } from './connect-redis-store.js'

const collection = { source: 'City', partition: '*' }
const running: Pick<RunningRedis, 'stop'>[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(one => one.stop()))
})

const kept = <Server extends Pick<RunningRedis, 'stop'>>(server: Server): Server => {
  running.push(server)
  return server
}

/** Tries until it succeeds, as everybody does who is told that trying again may help. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      expect(error).toMatchObject({ code: 'store_unavailable', retryable: true })
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 50))
}

async function says(redis: RunningRedis, words: string, ...command: string[]): Promise<boolean> {
  const client = await createClient({ url: redis.url, RESP: 2 }).connect()
  const answer = JSON.stringify(await client.sendCommand(command))
  client.destroy()
  return answer.includes(words)
}

if (!redisIsThere()) test.skip('needs a redis-server', () => undefined)
else
  describe('a store', () => {
    test('behind sentinels goes on with the replica when its primary dies', async () => {
      const primary = kept(await startRedis())
      const replica = kept(await startRedis({ replicaof: `127.0.0.1 ${primary.port}` }))
      await until(() => says(replica, 'master_link_status:up', 'INFO', 'replication'))
      const sentinel = kept(await startRedisSentinel(primary))
      await until(() => says(sentinel, 'slaves=1', 'INFO', 'sentinel'))
      const store = await connectRedisStore(`redis-sentinel://127.0.0.1:${sentinel.port}/main`)
      await store.collections.apply(collection, { merge: { a: { x: 1 } } })
      const heard: unknown[] = []
      await store.events.subscribe('news', event => heard.push(event))
      await until(() => says(replica, '"a"', 'HKEYS', 'godwit:{collection:City:*}:objects'))
      await primary.stop()
      const applied = await again(() => store.collections.apply(collection, { merge: { b: { x: 1 } } }))
      expect(applied).toMatchObject({ version: 2, count: 2 })
      await until(async () => {
        await again(() => store.events.publish('news', 1))
        return heard.length > 0
      })
      await store.close()
    }, 60_000)

    test('on a Cluster fails only what is on the server that is gone', async () => {
      const cluster = kept(await startRedisCluster())
      const store = await connectRedisStore(cluster.url)
      const collections = Array.from({ length: 12 }, (_, number) => ({ source: 'City', partition: `${number}` }))
      for (const one of collections) await store.collections.apply(one, { merge: { a: {} } })
      const first = cluster.nodes[0] as RunningRedis
      await first.stop()
      const heads = await Promise.allSettled(collections.map(one => store.collections.head(one)))
      const lost = heads.filter(head => head.status === 'rejected')
      expect(lost.length).toBeGreaterThan(0)
      expect(lost.length).toBeLessThan(collections.length)
      for (const head of lost) expect(head.reason).toMatchObject({ code: 'store_unavailable', retryable: true })
      await store.close().catch(() => undefined)
    }, 60_000)
  })
