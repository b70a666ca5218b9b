import type { Attributes, ObjectMap } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { describeOnRedis } from './redis.fixture.js'
import type { RedisHandle } from './redis-handle.js'
import { redisStore } from './redis-store.js'
import { exchangeDocumentScript } from './scripts/documents.js'

/** Larger than the JSON that a script may parse. */
const large = (of: (index: number) => Attributes = index => ({ index, note: 'x'.repeat(100) })): ObjectMap =>
  Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`id ${index}`, of(index)]))

const value = fc.oneof(fc.constant(null), fc.nat(2), fc.constantFrom('', '"', '\\', '{', 'é', '\ud800'))
const attributes = fc.dictionary(fc.constantFrom('a', 'index', '1', '__proto__', '"'), value, { maxKeys: 3 })
const more = fc.dictionary(fc.constantFrom('id 1', 'id 499', 'new', '7', '__proto__', '"'), attributes, { maxKeys: 4 })

describeOnRedis('a large map', redis => {
  test('has the result of the reference after an append', async () => {
    const check = async (appended: readonly ObjectMap[]) => {
      const all = [redisStore(redis.handle), openMemoryStore()].map(async ({ documents }) => {
        await documents.set('server', 'map', large())
        for (const one of appended) expect(await documents.append('server', 'map', one)).toBe('appended')
        return documents.get('server', 'map')
      })
      const [content, reference] = await Promise.all(all)
      expect(content).toEqual(reference)
    }
    await fc.assert(fc.asyncProperty(fc.array(more, { minLength: 1, maxLength: 3 }), check), { numRuns: 40 })
  })

  test('is created by appends, and is not text', async () => {
    const { documents } = redisStore(redis.handle)
    expect(await documents.append('server', 'made', large())).toBe('appended')
    expect(await documents.get('server', 'made')).toEqual(large())
    expect(await documents.append('server', 'made', 'text')).toBe('kind_differs')
    await documents.set('server', 'text', 'text')
    expect(await documents.append('server', 'text', large())).toBe('kind_differs')
    expect(await documents.names('server')).toEqual(expect.arrayContaining(['made', 'text']))
  })

  test('loses no concurrent appends', async () => {
    const { documents } = redisStore(redis.handle)
    await documents.set('server', 'many', large())
    const appended = Array.from({ length: 12 }, (_, writer) => ({ 'id 1': { [`by ${writer}`]: writer } }))
    await Promise.all(appended.map(one => documents.append('server', 'many', one)))
    const { 'id 1': changed } = (await documents.get('server', 'many')) as ObjectMap
    expect(changed).toEqual(Object.assign({}, large()['id 1'], ...appended.map(one => one['id 1'])))
  })

  test('that became text between its read and its write stays text', async () => {
    const { documents } = redisStore(redis.handle)
    await documents.set('server', 'changed', large())
    const send: RedisHandle['send'] = async (route, command) => {
      if (command[1] === exchangeDocumentScript.sha) await documents.set('server', 'changed', 'text')
      return redis.handle.send(route, command)
    }
    const slow = redisStore({ ...redis.handle, send })
    expect(await slow.documents.append('server', 'changed', { a: { x: 1 } })).toBe('kind_differs')
    expect(await documents.get('server', 'changed')).toBe('text')
  })
})
