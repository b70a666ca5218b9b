import { askRedis, startRedis } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { connectRedisStore } from './connect-redis-store.js'
import { describeWithRedis, keeper } from './redis.fixture.js'

const kept = keeper()

describeWithRedis('the report of a store about its Redis', () => {
  test('says whether data survives a restart', async () => {
    const redis = kept(await startRedis())
    const store = kept(await connectRedisStore(redis.url))
    const persists = async () => (await store.measure()).persists
    await askRedis(redis, 'CONFIG SET appendonly no')
    await askRedis(redis, 'CONFIG SET save ""')
    expect(await persists()).toBe(false)
    await askRedis(redis, 'CONFIG SET save "3600 1"')
    expect(await persists()).toBe(true)
    await askRedis(redis, 'CONFIG SET save ""')
    await askRedis(redis, 'CONFIG SET appendonly yes')
    expect(await persists()).toBe(true)
  })
})
