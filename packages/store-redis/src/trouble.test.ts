import type { Store } from '@godwit/store'
import { type RunningRedis, startRedis, until } from '@godwit/testing'
import { beforeEach, expect, test } from '@jest/globals'
import { createClient } from 'redis'
import { connectRedisStore } from './connect-redis-store.js'
import { describeWithRedis, keeper } from './redis.fixture.js'

const collection = { source: 'City', partition: '*' }
const merge = { a: { x: 1 } }

describeWithRedis('Redis', describeTrouble)

function describeTrouble(): void {
  const kept = keeper()
  let redis: RunningRedis
  let store: Store

  const start = async (settings = {}) => kept(await startRedis(settings))
  const connect = async (url: string) => kept(await connectRedisStore(url))
  beforeEach(async () => {
    redis = await start()
    store = await connect(redis.url)
  })

  /** Sends one command as another client. */
  const tell = async (...command: string[]) => {
    const client = await createClient({ url: redis.url, RESP: 2 }).connect()
    try {
      return await client.sendCommand(command)
    } finally {
      client.destroy()
    }
  }
  const refusal = (message: RegExp) => ({ code: 'store_unavailable', message: expect.stringMatching(message) })

  test('that lost its scripts loads them again', async () => {
    await store.collections.apply(collection, { merge })
    await tell('SCRIPT', 'FLUSH')
    expect(await store.collections.apply(collection, { merge: { b: {} } })).toMatchObject({ version: 2 })
  })

  test('that is a replica is refused', async () => {
    const replica = await start({ replicaof: `127.0.0.1 ${redis.port}` })
    await expect(connectRedisStore(replica.url)).rejects.toMatchObject(refusal(/read-only replica/))
  })

  test('that became a replica says so at the next write, and is no longer ready', async () => {
    const other = await start()
    await tell('REPLICAOF', '127.0.0.1', `${other.port}`)
    await expect(store.collections.apply(collection, { merge })).rejects.toMatchObject(refusal(/read-only replica/))
    await expect(store.check()).rejects.toMatchObject(refusal(/read-only replica/))
  })

  test('that may evict is refused', async () => {
    const lru = await start({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' })
    await expect(connectRedisStore(lru.url)).rejects.toMatchObject(
      refusal(/maxmemory-policy is allkeys-lru.*noeviction/),
    )
  })

  test('that is full refuses writes completely, and still answers reads', async () => {
    await store.collections.apply(collection, { merge })
    await tell('CONFIG', 'SET', 'maxmemory', '1')
    const more = store.collections.apply(collection, { merge: { b: { x: 1 } } })
    await expect(more).rejects.toMatchObject({ ...refusal(/full/), retryable: true })
    expect(await store.collections.head(collection)).toMatchObject({ version: 1, count: 1 })
    await tell('CONFIG', 'SET', 'maxmemory', '0')
    expect(await store.collections.apply(collection, { merge: { b: {} } })).toMatchObject({ version: 2 })
  })

  test('that refuses scripts to this user is refused', async () => {
    await tell('ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '&*', '+@all', '-@scripting')
    const address = redis.url.replace('//', '//reader:secret@')
    const connecting = connectRedisStore(address)
    await expect(connecting).rejects.toMatchObject({ ...refusal(/does not have permission/), retryable: false })
    await expect(connecting).rejects.not.toThrow('secret')
  })

  test('that needs another password is refused, and no password is shown', async () => {
    await tell('CONFIG', 'SET', 'requirepass', 'right')
    const connecting = connectRedisStore(redis.url.replace('//', '//:wrong@'))
    await expect(connecting).rejects.toMatchObject(refusal(/rejected the user or password/))
    await expect(connecting).rejects.not.toThrow(/wrong\b/)
    await (await connect(redis.url.replace('//', '//:right@'))).check()
  })

  test('that drops the connection during a write causes a retryable error, and is reconnected', async () => {
    await store.collections.apply(collection, { merge })
    const admin = await createClient({ url: redis.url, RESP: 2 }).connect()
    const paused = admin.sendCommand(['CLIENT', 'PAUSE', '60000', 'WRITE'])
    await paused
    const writing = store.collections.apply(collection, { merge: { b: {} } })
    const failed = expect(writing).rejects.toMatchObject({ ...refusal(/may have been done or not/), retryable: true })
    await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'NORMAL', 'SKIPME', 'yes'])
    await failed
    await admin.sendCommand(['CLIENT', 'UNPAUSE'])
    admin.destroy()
    await store.check()
    expect(await store.collections.apply(collection, { merge: { b: {} } })).toMatchObject({ version: 2 })
  })

  test('that restarts is reconnected, and waiting calls run once', async () => {
    await redis.stop()
    const writing = store.collections.apply(collection, { merge })
    await start({ port: `${redis.port}` })
    expect(await writing).toMatchObject({ version: 1 })
  })

  test('that is gone fails calls after a bounded wait', async () => {
    await redis.stop()
    await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable', retryable: true })
  })

  test('that lost its data has new epochs, so that devices start over', async () => {
    const before = await store.collections.apply(collection, { merge })
    await tell('FLUSHALL')
    const { epoch } = await store.collections.open(collection)
    expect('epoch' in before && before.epoch !== epoch).toBe(true)
    const first = await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds: 1000 })
    await tell('FLUSHALL')
    const second = await store.leases.acquire({ kind: 'query', collection }, { holder: 'two', milliseconds: 1000 })
    expect(second?.fence).toBeGreaterThan(first?.fence ?? 0)
  })

  test('that loses a staged result makes the query fail', async () => {
    await store.collections.apply(collection, { merge })
    const { epoch, version, queriesRequested } = await store.collections.open(collection)
    const lease = await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds: 9000 })
    async function* parts() {
      yield { b: { x: 1 } }
      const keys = (await tell('KEYS', '*:staging:*')) as unknown as string[]
      await tell('DEL', ...keys)
    }
    const options = { epoch, fence: lease?.fence ?? 0, since: version, queriesRequested, maxRemovedShare: 1 }
    const replacing = store.collections.replace(collection, parts(), options)
    await expect(replacing).rejects.toMatchObject(refusal(/lost a part/))
    expect(Object.keys(await store.collections.get(collection, ['a', 'b']))).toEqual(['a'])
  })

  test('that drops a subscription tells listeners of possible gaps, once it is restored', async () => {
    const heard: unknown[] = []
    const missed = new Promise<void>(resolve => {
      void store.events
        .subscribe('news', event => heard.push(event), resolve)
        .then(async () => {
          await tell('CLIENT', 'KILL', 'TYPE', 'PUBSUB')
        })
    })
    await missed
    await store.events.publish('news', 1)
    await until(() => heard.length > 0)
    expect(heard).toEqual([1])
  })
}
