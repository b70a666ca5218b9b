import { askRedis, startRedis, startRedisCluster, startRedisSentinel, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { connectRedisStore } from '../connect-redis-store.js'
import { describeWithRedis, keeper } from '../redis.fixture.js'
import { LosingProxy } from './losing-proxy.fixture.js'

const kept = keeper()

/** For each kind of Redis, its address and the proxies before its servers. */
const KINDS = {
  'one server': async () => {
    const proxy = kept(await LosingProxy.before(kept(await startRedis())))
    return { address: `redis://127.0.0.1:${proxy.port}`, proxies: [proxy] }
  },
  'the primary that sentinels name': async () => {
    const proxy = kept(await LosingProxy.before(kept(await startRedis())))
    const { port } = kept(await startRedisSentinel(proxy))
    return { address: `redis-sentinel://127.0.0.1:${port}/main`, proxies: [proxy] }
  },
  'a Cluster': async () => {
    const { nodes } = kept(await startRedisCluster())
    const proxies = await Promise.all(nodes.map(async node => kept(await LosingProxy.before(node))))
    for (const [at, node] of nodes.entries())
      await askRedis(node, `CONFIG SET cluster-announce-port ${proxies[at]?.port}`)
    // Waits until the nodes have told each other the announced ports.
    for (const node of nodes)
      for (const { port } of proxies)
        await until(async () => (await askRedis(node, 'CLUSTER SLOTS')).includes(`:${port}\r`))
    return { address: `redis-cluster://127.0.0.1:${proxies[0]?.port}`, proxies }
  },
}

describeWithRedis('a script whose answer is lost with the connection', () => {
  test.each(Object.entries(KINDS))('is done once, on %s', async (_, start) => {
    const { address, proxies } = await start()
    const store = await connectRedisStore(address)
    await store.documents.append('server', 'log', 'a')
    for (const proxy of proxies) proxy.loseAnswer('EVALSHA')
    await expect(store.documents.append('server', 'log', 'b')).rejects.toMatchObject({
      ...{ code: 'store_unavailable', retryable: true },
      message: expect.stringMatching(/may have been done or not/),
    })
    expect(proxies.filter(({ hasLost }) => hasLost)).toHaveLength(1)
    for (const proxy of proxies) proxy.loseNothing()
    expect(await store.documents.get('server', 'log')).toBe('ab')
    await store.documents.append('server', 'log', 'c')
    expect(await store.documents.get('server', 'log')).toBe('abc')
    await store.close()
  })
})
