import type { Store } from '@godwit/store'
import { askRedis, type RunningRedis, startRedis, startRedisCluster, startRedisSentinel, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { connectRedisStore } from '../connect-redis-store.js'
import { describeWithRedis, keeper, pause, resume } from '../redis.fixture.js'

const kept = keeper()
const retryable = { code: 'store_unavailable', retryable: true }

const add = ({ documents }: Store, partition: string, text: string) => documents.append(partition, 'log', text)
const log = ({ documents }: Store, partition: string) => documents.get(partition, 'log')

/** Counts how often listeners are told that messages may have been missed. */
async function listened(store: Store) {
  const heard: unknown[] = []
  const told = { heard, missed: 0 }
  await store.events.subscribe(
    'news',
    event => heard.push(event),
    () => told.missed++,
  )
  return told
}

/** Retries until the work succeeds, since another server may be taking over. */
async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      expect(error).toMatchObject(retryable)
    }
  }
}

/** The kinds of connection to one Redis server. */
const KINDS = {
  'one server': async () => {
    const redis = kept(await startRedis())
    return { redis, address: redis.url }
  },
  'the primary that sentinels name': async () => {
    const redis = kept(await startRedis())
    const { port } = kept(await startRedisSentinel(redis))
    return { redis, address: `redis-sentinel://127.0.0.1:${port}/main` }
  },
}

describeWithRedis('a server that stops answering', () => {
  test.each(Object.entries(KINDS))('fails running calls, and is used again when it answers: %s', async (_, start) => {
    const { redis, address } = await start()
    const store = kept(await connectRedisStore(address))
    const told = await listened(store)
    await add(store, 'one', 'a')
    pause(redis)
    await expect(add(store, 'one', 'b')).rejects.toMatchObject(retryable)
    await expect(log(store, 'one')).rejects.toMatchObject(retryable)
    resume(redis)
    // The write in progress may or may not have been done.
    expect(await persistently(() => log(store, 'one'))).toMatch(/^ab?$/)
    await persistently(() => add(store, 'one', 'c'))
    expect(told.missed).toBeGreaterThan(0)
    await store.events.publish('news', 1)
    await until(async () => told.heard.length > 0)
    expect(told.heard).toEqual([1])
  })

  test('in a Cluster leaves the others serving, and its replica is found', async () => {
    const cluster = kept(await startRedisCluster({ replicated: true }))
    for (const node of cluster.nodes) await askRedis(node, 'CONFIG SET cluster-node-timeout 2000')
    const store = kept(await connectRedisStore(cluster.url))
    const told = await listened(store)
    const partitions = Array.from({ length: 12 }, (_, at) => `partition ${at}`)
    for (const one of partitions) await add(store, one, 'a')
    const [hangs, , , replica] = cluster.nodes as readonly [RunningRedis, unknown, unknown, RunningRedis]
    await until(async () => (await askRedis(replica, 'DBSIZE')) === (await askRedis(hangs, 'DBSIZE')))
    pause(hangs)
    const states = new Map<string, string>()
    for (const one of partitions)
      void add(store, one, 'b').then(
        () => states.set(one, 'done'),
        () => states.set(one, 'failed'),
      )
    await until(async () => states.size === partitions.length)
    const failed = partitions.filter(one => states.get(one) === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.length).toBeLessThan(partitions.length)
    for (const one of partitions) await persistently(() => add(store, one, 'c'))
    for (const one of partitions) expect(await log(store, one)).toBe(failed.includes(one) ? 'ac' : 'abc')
    expect(told.missed).toBeGreaterThan(0)
    resume(hangs)
  }, 120_000)
})
