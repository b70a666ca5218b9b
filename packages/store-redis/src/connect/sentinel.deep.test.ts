import type { Store } from '@godwit/store'
import { askRedis, type RunningRedis, startRedis, startRedisSentinel, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { connectRedisStore } from '../connect-redis-store.js'
import { describeWithRedis, keeper, pause, resume, startReplicated } from '../redis.fixture.js'

const kept = keeper()

/** A primary and its replica, the given number of sentinels that watch them, and a store connected through them. */
async function watched({ sentinels: count }: { readonly sentinels: number }) {
  const { primary, replica } = await startReplicated(kept)
  const sentinels = await Promise.all(
    Array.from({ length: count }, async () => kept(await startRedisSentinel(primary))),
  )
  for (const sentinel of sentinels)
    await until(async () =>
      (await askRedis(sentinel, 'SENTINEL replicas main')).includes('master-link-status\r\n$2\r\nok'),
    )
  const nodes = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const store = kept(await connectRedisStore(`redis-sentinel://${nodes}/main`))
  return { primary, replica, sentinels, store }
}

const add = ({ documents }: Store, text: string) => documents.append('server', 'log', text)
const log = ({ documents }: Store) => documents.get('server', 'log')

const has = async (server: RunningRedis, words: string) =>
  (await askRedis(server, 'HGETALL godwit:{documents:server}:contents')).includes(words)

/** The error of a call that was interrupted. */
const retryable = { code: 'store_unavailable', retryable: true }

describeWithRedis('a store behind sentinels', () => {
  test('reconnects to its primary, and calls meanwhile wait and run once', async () => {
    const { primary, store } = await watched({ sentinels: 1 })
    await add(store, 'a')
    await askRedis(primary, 'CLIENT KILL TYPE normal')
    // Waits until the connection loss is noticed.
    await new Promise(resolve => setTimeout(resolve, 20))
    await Promise.all([add(store, 'b'), add(store, 'b'), add(store, 'b')])
    expect(await log(store)).toBe('abbb')
  })

  test('leaves a hanging primary after a fail-over: running calls fail, and listeners are told', async () => {
    const { primary, replica, store } = await watched({ sentinels: 1 })
    await add(store, 'a')
    await until(() => has(replica, 'log'))
    const heard: unknown[] = []
    let missed = 0
    await store.events.subscribe(
      'news',
      event => heard.push(event),
      () => missed++,
    )
    pause(primary)
    await expect(add(store, 'b')).rejects.toMatchObject(retryable)
    await add(store, 'c')
    expect(await log(store)).toBe('ac')
    expect(missed).toBe(1)
    await store.events.publish('news', 1)
    await until(async () => heard.length > 0)
    expect(heard).toEqual([1])
    resume(primary)
  })

  test('subscribes to another sentinel when its sentinel hangs', async () => {
    const { primary, replica, sentinels, store } = await watched({ sentinels: 2 })
    const [first, second] = sentinels as [RunningRedis, RunningRedis]
    await add(store, 'a')
    await until(() => has(replica, 'log'))
    pause(first)
    await until(async () => (await askRedis(second, 'CLIENT LIST')).includes('sub=1'))
    pause(primary)
    const adding = expect(add(store, 'b')).rejects.toMatchObject(retryable)
    await askRedis(second, 'SENTINEL FAILOVER main')
    await adding
    await add(store, 'c')
    expect(await has(replica, 'tac')).toBe(true)
    for (const one of [first, primary]) resume(one)
  })

  test('sends sentinels their password, which is not that of the primary', async () => {
    const primary = kept(await startRedis())
    const { port } = kept(await startRedisSentinel(primary, { requirepass: 'of sentinels' }))
    const address = `redis-sentinel://127.0.0.1:${port}/main`
    await expect(connectRedisStore(address)).rejects.toMatchObject({ code: 'store_unavailable' })
    const store = kept(await connectRedisStore(`${address}?sentinel_password=of%20sentinels`))
    await add(store, 'a')
    expect(await log(store)).toBe('a')
  })

  test('that is closed without a primary says so, and leaves nothing open', async () => {
    const { primary, sentinels, store } = await watched({ sentinels: 1 })
    await Promise.all([primary.stop(), ...sentinels.map(one => one.stop())])
    const adding = add(store, 'a').catch(error => error)
    await store.close()
    expect(await adding).toMatchObject({ code: 'store_unavailable' })
    await expect(add(store, 'b')).rejects.toMatchObject({ message: expect.stringMatching(/closed/) })
  })
})
