import { askRedis, type RunningRedis, startRedis, startRedisCluster, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { connectRedisStore } from './connect-redis-store.js'
import { describeWithRedis, keeper } from './redis.fixture.js'

const kept = keeper()

const evicts = (policy: string) => ({
  code: 'store_unavailable',
  message: expect.stringMatching(`maxmemory-policy is ${policy}. Set it to noeviction`),
})

describeWithRedis('the check of a store', () => {
  test('rejects while its Redis may evict keys', async () => {
    const redis = kept(await startRedis())
    const store = kept(await connectRedisStore(redis.url))
    for (const policy of ['allkeys-lru', 'volatile-ttl']) {
      await store.check()
      await askRedis(redis, `CONFIG SET maxmemory-policy ${policy}`)
      await expect(store.check()).rejects.toMatchObject(evicts(policy))
      await askRedis(redis, 'CONFIG SET maxmemory-policy noeviction')
    }
    await store.check()
  })
})

describeWithRedis('the check of a store on a Cluster', () => {
  test('rejects while any of its primaries may evict keys', async () => {
    const cluster = kept(await startRedisCluster())
    const store = kept(await connectRedisStore(cluster.url))
    for (const node of cluster.nodes) {
      await store.check()
      await askRedis(node, 'CONFIG SET maxmemory-policy allkeys-lru')
      await expect(store.check()).rejects.toMatchObject(evicts('allkeys-lru'))
      await askRedis(node, 'CONFIG SET maxmemory-policy noeviction')
    }
    await store.check()
  })

  test('rejects while any of its primaries is full', async () => {
    const cluster = kept(await startRedisCluster())
    const store = kept(await connectRedisStore(cluster.url))
    for (const node of cluster.nodes) {
      await store.check()
      await askRedis(node, 'CONFIG SET maxmemory 1')
      const full = { code: 'store_unavailable', retryable: true, message: expect.stringMatching(/full/) }
      await expect(store.check()).rejects.toMatchObject(full)
      await askRedis(node, 'CONFIG SET maxmemory 0')
    }
    await store.check()
  })

  test('finds the replica that took over', async () => {
    const { nodes, url } = kept(await startRedisCluster({ replicated: true }))
    const store = kept(await connectRedisStore(url))
    const [primary, replica] = [nodes[0], nodes[3]] as [RunningRedis, RunningRedis]
    await askRedis(replica, 'CLUSTER FAILOVER TAKEOVER')
    await until(async () => (await askRedis(primary, 'INFO replication')).includes('role:slave'))
    await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable', retryable: true })
    await store.check()
  })
})
