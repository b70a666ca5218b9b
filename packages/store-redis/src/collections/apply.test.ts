import type { Attributes, ObjectMap } from '@godwit/protocol'
import { type Batch, openMemoryStore, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { describeOnRedis } from '../redis.fixture.js'
import type { RedisHandle } from '../redis-handle.js'
import { redisStore } from '../redis-store.js'
import { applyScript, commitScript } from '../scripts/apply.js'

const collection = { source: 'City', partition: '*' }
const ids = Array.from({ length: 120 }, (_, index) => `id ${index}`)
const objects = (of: (id: string) => Attributes, some: readonly string[] = ids): ObjectMap =>
  Object.fromEntries(some.map(id => [id, of(id)]))

const value = fc.oneof(fc.constant(null), fc.nat(2), fc.constantFrom('', '"', '\\', '\\"', '{', 'é'))
const attributes = fc.dictionary(fc.constantFrom('a', 'b', '1', '__proto__', '"'), value, { maxKeys: 3 })
const some = <Value>(one: fc.Arbitrary<Value>) =>
  fc.dictionary(fc.constantFrom(...ids), one, { minKeys: 20, maxKeys: 80 })
const batch: fc.Arbitrary<Batch> = fc.record(
  {
    removeAttributes: some(fc.array(fc.constantFrom('a', 'b', '1', 'z'), { maxLength: 2 })),
    replace: some(attributes),
    merge: some(attributes),
    remove: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 40 }),
  },
  { requiredKeys: ['merge'] },
)

describeOnRedis('a batch of many objects', redis => {
  let runs = 0
  const open = (more: Partial<RedisHandle> = {}) =>
    redisStore({ ...redis.handle, ...more }, { prefix: `test ${++runs}:` })

  test('has the result of the reference, also while a query runs', async () => {
    const check = async (steps: readonly { readonly batch: Batch; readonly queries: boolean }[]) => {
      const [store, reference] = [open(), openMemoryStore()]
      const both = await Promise.all([store, reference].map(one => tell(one, steps)))
      expect(both[0]).toEqual(both[1])
    }
    const steps = fc.array(fc.record({ batch, queries: fc.boolean() }), { minLength: 1, maxLength: 6 })
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 60 })
  }, 120_000)

  test('loses no concurrent writes to its objects, and each write is one version', async () => {
    const store = open()
    const writers = Array.from({ length: 12 }, (_, writer) => `by ${writer}`)
    await Promise.all(
      writers.map(name => store.collections.apply(collection, { merge: objects(() => ({ [name]: 1 })) })),
    )
    const all = Object.fromEntries(writers.map(name => [name, 1]))
    expect(await store.collections.get(collection, ids)).toEqual(objects(() => all))
    expect(await store.collections.head(collection)).toMatchObject({ version: writers.length, count: ids.length })
  })

  test.each(['an object was changed', 'the collection was made again'])(
    'is computed again when %s between its read and its write',
    async how => {
      let other: Promise<unknown> | undefined
      const store = open()
      const change = async () => {
        if (how === 'the collection was made again') await store.collections.drop(collection)
        await store.collections.apply(collection, { replace: { 'id 7': { b: 2 } } })
      }
      const send: RedisHandle['send'] = async (route, command) => {
        if (command[1] === commitScript.sha) {
          other ??= change()
          await other
        }
        return redis.handle.send(route, command)
      }
      await store.collections.apply(collection, { merge: { 'id 7': { b: 1 } } })
      const slow = redisStore({ ...redis.handle, send }, { prefix: `test ${runs}:` })
      await slow.collections.apply(collection, { merge: objects(() => ({ a: 1 })) })
      expect(await store.collections.get(collection, ['id 7', 'id 8'])).toEqual({
        'id 7': { a: 1, b: 2 },
        'id 8': { a: 1 },
      })
    },
  )

  test('is written although one of its objects changes constantly', async () => {
    let commits = 0
    const store = open()
    const send: RedisHandle['send'] = async (route, command) => {
      if (command[1] === commitScript.sha) {
        commits++
        await store.collections.apply(collection, { merge: { 'id 7': { [`b ${commits}`]: commits } } })
      }
      return redis.handle.send(route, command)
    }
    await store.collections.open(collection)
    const slow = redisStore({ ...redis.handle, send }, { prefix: `test ${runs}:` })
    await slow.collections.apply(collection, { merge: objects(() => ({ a: 1 })) })
    expect(commits).toBe(2)
    expect(await store.collections.get(collection, ['id 7', 'id 8'])).toEqual({
      'id 7': { a: 1, 'b 1': 1, 'b 2': 2 },
      'id 8': { a: 1 },
    })
  })

  test('is refused as a whole, for a retry, when all of its large objects change constantly', async () => {
    let round = 0
    const store = open()
    const note = 'x'.repeat(1000)
    const send: RedisHandle['send'] = async (route, command) => {
      if (command[1] === commitScript.sha)
        await store.collections.apply(collection, { merge: objects(() => ({ note, round: ++round })) })
      return redis.handle.send(route, command)
    }
    const slow = redisStore({ ...redis.handle, send }, { prefix: `test ${runs}:` })
    const applying = slow.collections.apply(collection, { merge: objects(() => ({ a: 1 })) })
    await expect(applying).rejects.toMatchObject({ code: 'store_unavailable', retryable: true })
    expect(await store.collections.get(collection, ['id 7'])).toMatchObject({ 'id 7': { note } })
    expect((await store.collections.get(collection, ['id 7']))['id 7']).not.toHaveProperty('a')
  })

  test('and one of few large objects are not computed within Redis', async () => {
    const asked: string[] = []
    const send: RedisHandle['send'] = (route, command) => {
      if (command[1] === applyScript.sha) asked.push('apply')
      if (command[1] === commitScript.sha) asked.push('commit')
      return redis.handle.send(route, command)
    }
    const store = open({ send })
    const note = 'x'.repeat(10_000)
    await store.collections.apply(collection, { merge: objects(() => ({ note })) })
    await store.collections.apply(collection, { merge: objects(() => ({ a: 1 }), ids.slice(0, 10)) })
    await store.collections.apply(collection, { merge: { one: { a: 1 } } })
    expect(asked).toEqual(['commit', 'apply', 'commit', 'apply'])
  })
})

async function tell(store: Store, steps: readonly { readonly batch: Batch; readonly queries: boolean }[]) {
  const answers: unknown[] = []
  for (const { batch, queries } of steps) {
    const lease = queries
      ? await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds: 60_000 })
      : undefined
    const applied = await store.collections.apply(collection, batch)
    answers.push('changed' in applied && [applied.changed, applied.count, applied.version])
    if (lease) await store.leases.release(lease)
  }
  const changes = await store.collections.changes(collection, { limit: 1000 })
  const list = await store.collections.list(collection, { limit: 1000 })
  return [answers, changes?.head.checksum, changes?.rows, list]
}
