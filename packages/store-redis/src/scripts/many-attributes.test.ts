import { randomUUID } from 'node:crypto'
import type { Attributes } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { weighingHandle } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { createClient } from 'redis'
import { describeOnRedis } from '../redis.fixture.js'
import { redisStore } from '../redis-store.js'

const collection = { source: 'City', partition: '*' }
const COUNT = 20_000
/** Milliseconds of Redis' CPU time: quadratic time would take three times this limit, linear time a fifth. */
const MAX_TIME = 500

const attributes = (value: number | null): Attributes =>
  Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`n${index}`, value]))
const reversed = (given: Attributes): Attributes => Object.fromEntries(Object.entries(given).reverse())

describeOnRedis('an object of very many attributes', redis => {
  const weigh = async (work: (store: Store) => Promise<() => Promise<void>>) => {
    const client = await createClient({ url: redis.url, RESP: 2 }).connect()
    try {
      const { handle, take } = weighingHandle(client)
      const act = await work(redisStore(handle, { prefix: `test ${randomUUID()}:` }))
      take()
      await act()
      return take().most
    } finally {
      client.destroy()
    }
  }

  test('costs linear time when a query has their names in another order', async () => {
    const most = await weigh(async store => {
      await store.collections.apply(collection, { merge: { one: attributes(0) } })
      const name = { kind: 'query', collection } as const
      const lease = await store.leases.acquire(name, { holder: 'one', milliseconds: 60_000 })
      const { epoch, version, queriesRequested } = await store.collections.open(collection)
      const options = { epoch, fence: lease?.fence ?? 0, since: version, queriesRequested, maxRemovedShare: 1 }
      const parts = async function* () {
        yield { one: reversed(attributes(0)) }
      }
      return async () =>
        expect(await store.collections.replace(collection, parts(), options)).toMatchObject({ changed: 0 })
    })
    expect(most).toBeLessThan(MAX_TIME)
  })

  test('costs linear time when a settlement removes them all', async () => {
    const most = await weigh(async store => {
      await store.collections.apply(collection, { merge: { one: { ...attributes(0), stays: true } } })
      const { epoch } = await store.collections.open(collection)
      const mutation = { number: 1, key: 'key', operation: 'update', object: 'one', was: {}, attributes: {} } as const
      const push = { client: randomUUID(), user: 'ada', epoch, acknowledged: 0, mutations: [mutation] }
      await store.journal.accept(collection, { ...push, idempotent: true })
      const started = await store.journal.start(collection, 'key', { milliseconds: 60_000, durable: true })
      if (!('fence' in started)) throw new Error(JSON.stringify(started))
      const write = { object: 'one', set: attributes(null) }
      return async () => {
        await store.journal.settle(collection, 'key', { epoch, fence: started.fence, status: 'applied', write })
        expect(await store.collections.get(collection, ['one'])).toEqual({ one: { stays: true } })
      }
    })
    expect(most).toBeLessThan(MAX_TIME)
  })
})
