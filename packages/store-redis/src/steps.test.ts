import type { ObjectMap } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import { createClient } from 'redis'
import { connectRedisStore } from './connect-redis-store.js'
import { describeOnRedis } from './redis.fixture.js'

const collection = { source: 'City', partition: '*' }
const COUNT = 50_000

async function* parts(from: number, to: number, x: number): AsyncGenerator<ObjectMap> {
  for (let at = from; at < to; at += 2_500)
    yield Object.fromEntries(
      Array.from({ length: 2_500 }, (_, index) => [`id ${at + index}`, { x, name: `city ${at}` }]),
    )
}

describeOnRedis('a query of 50,000 objects', redis => {
  test('is staged and written in bounded steps', async () => {
    const client = await createClient({ url: redis.url, RESP: 2 }).connect()
    const store = await connectRedisStore(redis.url)
    const replace = async (from: number, to: number, x: number) => {
      const lease = await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds: 600_000 })
      const { epoch, version, queriesRequested } = await store.collections.open(collection)
      const options = { epoch, fence: lease?.fence ?? 0, since: version, queriesRequested, maxRemovedShare: 1 }
      return store.collections.replace(collection, parts(from, to, x), options)
    }
    expect(await replace(0, COUNT, 1)).toMatchObject({ count: COUNT, changed: COUNT, removed: 0 })
    const half = await replace(COUNT / 2, COUNT + COUNT / 2, 2)
    expect(half).toMatchObject({ count: COUNT, changed: COUNT, removed: COUNT / 2, spared: 0 })
    expect(await replace(COUNT / 2, COUNT + COUNT / 2, 2)).toMatchObject({ changed: 0, removed: 0 })
    expect(await client.sendCommand(['KEYS', '*:staging:*'])).toEqual([])
    const stats = String(await client.sendCommand(['INFO', 'commandstats']))
    const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1])
    // 150,000 objects compared, 100,000 written and 25,000 removed: no call has more than 250 of them, and some have none.
    expect(calls).toBeGreaterThan((3 * COUNT + 2 * COUNT + COUNT / 2) / 250)
    await store.close()
    client.destroy()
  }, 120_000)
})
