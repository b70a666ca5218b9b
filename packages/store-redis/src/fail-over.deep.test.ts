import { askRedis, type RunningRedis, startRedisCluster, startRedisSentinel, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { connectRedisStore } from './connect-redis-store.js'
import { describeWithRedis, keeper, pause, resume, startReplicated } from './redis.fixture.js'

const collection = { source: 'City', partition: '*' }
const kept = keeper()

/** Retries until the work succeeds, as clients do upon a retryable error. */
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

const says = async (redis: RunningRedis, words: string, command: string): Promise<boolean> =>
  (await askRedis(redis, command)).includes(words)

describeWithRedis('a store', () => {
  test('behind sentinels goes on with the replica when its primary dies', async () => {
    const { primary, replica } = await startReplicated(kept)
    const sentinel = kept(await startRedisSentinel(primary))
    await until(() => says(sentinel, 'slaves=1', 'INFO sentinel'))
    const store = await connectRedisStore(`redis-sentinel://127.0.0.1:${sentinel.port}/main`)
    await store.collections.apply(collection, { merge: { a: { x: 1 } } })
    const heard: unknown[] = []
    await store.events.subscribe('news', event => heard.push(event))
    await until(() => says(replica, '\r\na\r\n', 'HKEYS godwit:{collection:City:*}:objects'))
    await primary.stop()
    const applied = await again(() => store.collections.apply(collection, { merge: { b: { x: 1 } } }))
    expect(applied).toMatchObject({ version: 2, count: 2 })
    await until(async () => {
      await again(() => store.events.publish('news', 1))
      return heard.length > 0
    })
    await store.close()
  })

  test('on a Cluster fails only for keys of the lost server', async () => {
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
  })

  test('on a Cluster hears all servers again after a fail-over from a hanging one', async () => {
    const { nodes, url } = kept(await startRedisCluster({ replicated: true }))
    for (const node of nodes) await askRedis(node, 'CONFIG SET cluster-node-timeout 1000')
    const [hearing, telling] = [kept(await connectRedisStore(url)), kept(await connectRedisStore(url))]
    const channels = Array.from({ length: 9 }, (_, number) => `channel ${number}`)
    const [heard, missed] = [new Set<string>(), new Set<string>()]
    for (const channel of channels)
      await hearing.events.subscribe(
        channel,
        () => heard.add(channel),
        () => missed.add(channel),
      )
    const [primary, replica] = [nodes[0], nodes[3]] as [RunningRedis, RunningRedis]
    pause(primary)
    await until(() => says(replica, 'role:master', 'INFO replication'))
    await until(async () => {
      for (const channel of channels) await telling.events.publish(channel, 1).catch(() => undefined)
      return heard.size === channels.length
    })
    expect([...missed].sort()).toEqual(channels)
    resume(primary)
  })
})
