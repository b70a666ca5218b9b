import type { Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { describeOnRedis } from '../redis.fixture.js'
import { redisStore } from '../redis-store.js'
import { LISTED_FOR } from '../scripts/names.js'

const collection = { source: 'Visit', partition: 'user:ada' }

async function push(store: Store): Promise<void> {
  const { epoch } = await store.collections.open(collection)
  const mutation = { number: 1, key: 'a key of sixteen', operation: 'delete', object: '7' } as const
  const push = { client: 'one', user: 'ada', epoch, acknowledged: 0, idempotent: true, mutations: [mutation] }
  await store.journal.accept(collection, push)
}

const waiting = async (store: Store): Promise<number> =>
  (await store.journal.undecided({ state: 'queued', limit: 9 })).length

describeOnRedis('the index of collections with undecided mutations', redis => {
  test.each<readonly [string, (store: Store) => Promise<unknown>]>([
    ['asks later', push],
    ['reads the collection', ({ collections }) => collections.recordReader(collection, 'tablet', 0)],
  ])('is written again by a process that %s, as the server of the index may have lost writes', async (_, use) => {
    let now = Date.UTC(2026, 0, 1)
    const prefix = 'index lost:'
    const store = redisStore(redis.handle, { prefix, clock: () => now })
    await push(store)
    expect(await waiting(store)).toBe(1)
    const [index] = (await redis.handle.send(prefix, ['KEYS', `${prefix}*index*undecided`])) as [string]
    await redis.handle.send(index, ['DEL', index])
    await use(store)
    expect(await waiting(store)).toBe(0)
    now += LISTED_FOR
    await use(store)
    expect(await waiting(store)).toBe(1)
    await store.clear()
  })

  test('is not written by a read of a collection without undecided mutations', async () => {
    const store = redisStore(redis.handle, { prefix: 'all decided:' })
    await store.collections.open(collection)
    await store.collections.recordReader(collection, 'tablet', 0)
    expect(await redis.handle.send('', ['KEYS', 'all decided:*undecided'])).toEqual([])
    await store.clear()
  })
})
