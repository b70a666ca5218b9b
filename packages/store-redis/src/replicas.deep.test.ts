import type { Store } from '@godwit/store'
import { askRedis, startRedis, startRedisCluster, startRedisSentinel, until } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { connectRedisStore } from './connect-redis-store.js'
import { describeWithRedis, keeper, pause, resume, startReplicated } from './redis.fixture.js'
import type { RedisCommand, RedisReply } from './redis-handle.js'
import { Replicas } from './replicas.js'

const collection = { source: 'Order', partition: '*' }
const kept = keeper()
const storeAt = async (url: string, options = {}): Promise<Store> => kept(await connectRedisStore(url, options))

/** Accepts this number of creates, and returns their keys. */
async function accepted({ collections, journal }: Store, count: number, id = collection): Promise<readonly string[]> {
  const { epoch } = await collections.open(id)
  const keys = Array.from({ length: count }, (_, at) => `a key that is number ${at + 1}`)
  const mutations = keys.map((key, at) => ({ key, number: at + 1, operation: 'create' as const, object: `${at + 1}` }))
  await journal.accept(id, { client: 'one', user: 'ada', epoch, acknowledged: 0, mutations, idempotent: false })
  return keys
}

const begin = ({ journal }: Store, key: string, durable = true, id = collection) =>
  journal.start(id, key, { milliseconds: 60_000, durable })

/** Retries until it starts: a replica on a busy machine may take longer than a store waits. */
async function again(store: Store, key: string, id = collection) {
  for (;;) {
    const answer = await begin(store, key, true, id)
    if (!('refused' in answer)) return answer
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const UNCONFIRMED = { refused: 'unconfirmed' }

describeWithRedis('a call that must not be forgotten', () => {
  test('begins when the replica confirms it, and survives a fail-over', async () => {
    const { primary, replica } = await startReplicated(kept)
    const [key = ''] = await accepted(await storeAt(primary.url), 1)
    expect(await again(await storeAt(primary.url), key)).toMatchObject({ entry: { state: 'started', attempts: 1 } })
    pause(primary)
    await askRedis(replica, 'REPLICAOF NO ONE')
    const [entry] = await (await storeAt(replica.url)).journal.entries(collection, [key])
    expect(entry).toMatchObject({ state: 'started', attempts: 1 })
    resume(primary)
  })

  test('does not begin while the replica lags, and begins once it has caught up', async () => {
    const { primary, replica } = await startReplicated(kept)
    const store = await storeAt(primary.url)
    const [key = '', other = ''] = await accepted(store, 2)
    expect((await store.measure()).replicas).toEqual({ wanted: 1, present: 1 })
    pause(replica)
    expect(await begin(store, key)).toEqual(UNCONFIRMED)
    await until(async () => (await store.measure()).replicas?.present !== 1)
    expect((await store.measure()).replicas).toEqual({ wanted: 1, present: 0 })
    expect(await store.journal.entries(collection, [key])).toMatchObject([{ state: 'queued', attempts: 0 }])
    // A start that need not be durable does not wait.
    expect(await begin(store, other, false)).toMatchObject({ entry: { state: 'started' } })
    await store.collections.apply(collection, { merge: { 1: { seen: 'later' } } })
    resume(replica)
    expect(await again(store, key)).toMatchObject({ entry: { attempts: 1 }, before: { state: 'live', version: 1 } })
  })

  test('begins without replicas where there never was one, or none is required', async () => {
    const alone = kept(await startRedis())
    const [key = '', other = ''] = await accepted(await storeAt(alone.url), 2)
    expect(await begin(await storeAt(alone.url), key)).toMatchObject({ entry: { state: 'started' } })
    expect((await (await storeAt(alone.url)).measure()).replicas).toBeUndefined()
    const demanding = await storeAt(alone.url, { replicas: 1 })
    expect(await begin(demanding, other)).toEqual(UNCONFIRMED)
    expect((await demanding.measure()).replicas).toEqual({ wanted: 1, present: 0 })
    const { primary, replica } = await startReplicated(kept)
    const store = await storeAt(primary.url, { replicas: 0 })
    const [third = ''] = await accepted(store, 1)
    pause(replica)
    expect(await begin(store, third)).toMatchObject({ entry: { state: 'started' } })
    resume(replica)
  })

  test('does not begin on a former primary that has not noticed the fail-over', async () => {
    const { primary, replica } = await startReplicated(kept)
    const store = await storeAt(primary.url)
    const [key = ''] = await accepted(store, 1)
    await askRedis(replica, 'REPLICAOF NO ONE')
    while ((await askRedis(primary, 'INFO replication')).includes('state=online'))
      await new Promise(resolve => setTimeout(resolve, 20))
    expect(await begin(store, key)).toEqual(UNCONFIRMED)
  })

  test('shares one wait with all others', async () => {
    const { primary } = await startReplicated(kept)
    const store = await storeAt(primary.url)
    const keys = await accepted(store, 200)
    await Promise.all(keys.map(key => again(store, key)))
    const [, calls] = /cmdstat_wait:calls=(\d+)/.exec(await askRedis(primary, 'INFO commandstats')) ?? []
    expect(Number(calls)).toBeGreaterThan(0)
    expect(Number(calls)).toBeLessThan(100)
  })

  test('waits for replicas of the primary that sentinels name', async () => {
    const { primary, replica } = await startReplicated(kept)
    const { port } = kept(await startRedisSentinel(primary))
    const store = await storeAt(`redis-sentinel://127.0.0.1:${port}/main`)
    const [key = '', other = ''] = await accepted(store, 2)
    expect(await again(store, key)).toMatchObject({ entry: { state: 'started' } })
    pause(replica)
    expect(await begin(store, other)).toEqual(UNCONFIRMED)
    resume(replica)
    expect(await again(store, other)).toMatchObject({ entry: { attempts: 1 } })
  })

  test('is confirmed by replicas of its server in a Cluster', async () => {
    const cluster = kept(await startRedisCluster({ replicated: true }))
    const store = await storeAt(cluster.url, { replicas: 1 })
    const ids = Array.from({ length: 6 }, (_, at) => ({ source: 'Order', partition: `${at}` }))
    const keys = await Promise.all(ids.map(async id => (await accepted(store, 1, id))[0] ?? ''))
    const stopped = cluster.nodes.slice(4)
    for (const replica of stopped) pause(replica)
    let count = 0
    const all = ids.map(async (id, at) => {
      await again(store, keys[at] ?? '', id)
      count++
    })
    await Promise.all([Promise.race(all), new Promise(resolve => setTimeout(resolve, 2_000))])
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(ids.length)
    for (const replica of stopped) resume(replica)
    await Promise.all(all)
  })

  test('begins on the replica that took over in a Cluster', async () => {
    const cluster = kept(await startRedisCluster({ replicated: true }))
    const store = await storeAt(cluster.url)
    const ids = Array.from({ length: 6 }, (_, at) => ({ source: 'Order', partition: `${at}` }))
    const keys = await Promise.all(ids.map(id => accepted(store, 2, id)))
    for (const [at, id] of ids.entries()) await again(store, keys[at]?.[0] ?? '', id)
    for (const replica of cluster.nodes.slice(3)) await askRedis(replica, 'CLUSTER FAILOVER TAKEOVER')
    for (const [at, id] of ids.entries())
      expect(await again(store, keys[at]?.[1] ?? '', id)).toMatchObject({ entry: { attempts: 1 } })
  })
})

describe('replicas', () => {
  const wrote = { key: 'k', lineage: 'abc', isFollowed: true }
  const asked = (answer: (commands: readonly RedisCommand[]) => Promise<readonly RedisReply[]>) =>
    new Replicas({ sendInRow: (_, commands) => answer(commands) }, undefined)

  test('of an earlier run of the server confirm nothing', async () => {
    expect(await asked(async () => ['OK', 'master_replid:abc\r\n', 1]).have(wrote)).toBe(true)
    expect(await asked(async () => ['OK', 'master_replid:def\r\n', 1]).have(wrote)).toBe(false)
  })

  test('confirm nothing that was written after the request', async () => {
    const answers: ((replies: readonly RedisReply[]) => void)[] = []
    const replicas = asked(() => new Promise(resolve => answers.push(resolve)))
    const first = replicas.have(wrote)
    await Promise.resolve()
    const [second, third] = [replicas.have(wrote), replicas.have(wrote)]
    expect(answers).toHaveLength(1)
    answers[0]?.(['OK', 'master_replid:abc', 1])
    expect(await first).toBe(true)
    while (answers.length < 2) await Promise.resolve()
    answers[1]?.(['OK', 'master_replid:abc', 0])
    expect(await Promise.all([second, third])).toEqual([false, false])
    expect(answers).toHaveLength(2)
  })

  test('that cannot be reached confirm nothing, and are asked again', async () => {
    let isBroken = true
    const replicas = asked(async () => {
      if (isBroken) throw new Error('The connection is gone.')
      return ['OK', 'master_replid:abc', 2]
    })
    expect(await replicas.have(wrote)).toBe(false)
    isBroken = false
    expect(await replicas.have(wrote)).toBe(true)
  })
})
