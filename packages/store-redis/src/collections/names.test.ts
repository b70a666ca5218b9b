import type { Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { RedisConnection } from '../connection.js'
import { describeOnRedis } from '../redis.fixture.js'
import { redisStore } from '../redis-store.js'
import { INDEXED_FOR } from '../scripts/names.js'
import { enterIndex } from './names.js'

const collection = { source: 'Visit', partition: 'user:ada' }

describeOnRedis('the index of all collections', redis => {
  test.each<readonly [string, (store: Store) => Promise<unknown>]>([
    ['opens one', ({ collections }) => collections.open(collection)],
    ['writes to one', ({ collections }) => collections.apply(collection, { merge: { b: { x: 1 } } })],
    ['reads one', ({ collections }) => collections.recordReader(collection, 'phone', 1)],
  ])('is written again by a process that %s, as the server of the index may have lost writes', async (_, use) => {
    let now = Date.UTC(2026, 0, 1)
    const prefix = 'index lost:'
    const store = redisStore(redis.handle, { prefix, clock: () => now })
    await store.collections.apply(collection, { merge: { a: { x: 1 } } })
    expect(await store.collections.collections({ limit: 9 })).toEqual([collection])
    const index = (await redis.handle.send(prefix, ['KEYS', `${prefix}{index}:*`])) as readonly string[]
    await redis.handle.send(prefix, ['DEL', ...index])
    await use(store)
    expect(await store.collections.collections({ limit: 9 })).toEqual([])
    now += INDEXED_FOR
    await use(store)
    expect(await store.collections.collections({ limit: 9 })).toEqual([collection])
    await store.clear()
  })

  test('does not keep a collection that was dropped while it was added', async () => {
    const store = redisStore(redis.handle, { prefix: 'gone:' })
    await store.collections.open(collection)
    await store.collections.drop(collection)
    await enterIndex(new RedisConnection(redis.handle, { prefix: 'gone:' }), collection)
    expect(await redis.handle.send('gone:', ['KEYS', 'gone:{index}:*'])).toEqual([])
  })

  test('has no missing collections', async () => {
    const store = redisStore(redis.handle, { prefix: 'never made:' })
    await store.collections.recordReader(collection, 'phone', 1)
    expect(await redis.handle.send('never made:', ['KEYS', 'never made:*'])).toEqual([])
  })
})
