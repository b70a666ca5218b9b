import { openMemoryStore, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createClient } from 'redis'
import { connectRedisStore } from '../connect-redis-store.js'
import { describeOnRedis } from '../redis.fixture.js'

const owner = fc.constantFrom('ada', 'grace', '\0', 'a\0b')
const id = fc.oneof(
  fc.nat(400).map(String),
  fc.string({ unit: fc.constantFrom('\0', '\uffff', '😀', 'i', 'o'), maxLength: 3 }),
)
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ create: fc.array(id, { minLength: 1, maxLength: 40 }), owner, life: fc.nat(50) }),
  },
  { weight: 2, arbitrary: fc.record({ remove: fc.array(id, { minLength: 1, maxLength: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ prolong: id, life: fc.nat(90) }) },
  { weight: 1, arbitrary: fc.record({ wait: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ removeOf: owner }) },
)

type Action = typeof action extends fc.Arbitrary<infer One> ? One : never

/** Returns all that a registry reports. */
async function told({ registry }: Store): Promise<unknown> {
  const owners = ['ada', 'grace', '\0', 'a\0b']
  const listed = await registry.list('credential', { limit: 10_000 })
  const pages = await Promise.all(
    owners.map(async owner => [
      await registry.count('credential', owner),
      await registry.list('credential', { owner, after: '2', limit: 70 }),
    ]),
  )
  return [
    await registry.count('credential'),
    listed,
    pages,
    await registry.list('credential', { after: 'i', limit: 3 }),
  ]
}

describeOnRedis('texts in packed order', redis => {
  test('are found as in the reference, after any inserts, removals and expiries', async () => {
    let runs = 0
    const check = async (deeds: readonly Action[]) => {
      let now = 1000
      const options = { clock: () => now }
      const store = await connectRedisStore(redis.url, { ...options, prefix: `sorted ${++runs}:` })
      const reference = openMemoryStore(options)
      for (const one of deeds) {
        if ('wait' in one) now += one.wait
        for (const { registry } of [store, reference]) {
          if ('create' in one)
            for (const id of new Set(one.create))
              await registry.create('credential', { id, owner: one.owner, value: {}, expiresAt: now + one.life })
          if ('remove' in one) for (const id of one.remove) await registry.delete('credential', id)
          if ('prolong' in one) await registry.merge('credential', one.prolong, {}, { expiresAt: now + one.life })
          if ('removeOf' in one) await registry.deleteOwned('credential', one.removeOf)
        }
      }
      expect(await told(store)).toEqual(await told(reference))
      await store.clear()
      await store.close()
    }
    await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 60 }), check), { numRuns: 40 })
  }, 120_000)

  test('take a few bytes each beside the text, and none after removal', async () => {
    const store = await connectRedisStore(redis.url, { prefix: 'many:' })
    const client = await createClient({ url: redis.url, RESP: 2 }).connect()
    const ids = Array.from({ length: 5000 }, (_, index) =>
      `${(index * 2_654_435_761) % 4_294_967_296}`.padStart(22, '0'),
    )
    for (const id of ids) await store.registry.create('client', { id, value: {} })
    const taken = await client.sendCommand(['MEMORY', 'USAGE', 'many:{records:client}:leaves', 'SAMPLES', '0'])
    const starts = await client.sendCommand(['MEMORY', 'USAGE', 'many:{records:client}:starts', 'SAMPLES', '0'])
    expect((Number(taken) + Number(starts)) / ids.length - 22).toBeLessThan(20)
    for (const id of ids) await store.registry.delete('client', id)
    expect(await client.sendCommand(['KEYS', 'many:*'])).toEqual([])
    await store.close()
    client.destroy()
  })
})
