import { describe, expect, test } from '@jest/globals'
import { idBatches, objectBatches } from './batches.js'
import { AdminClient } from './index.js'

async function all<T>(batches: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const batch of batches) list.push(batch)
  return list
}

async function* entries(count: number) {
  for (let i = 0; i < count; i++) yield [`${i}`, { n: i }] as const
}

describe('batches of objects', () => {
  test.each([
    ['an object map', { a: { n: 1 }, b: { n: 2 } }],
    ['an array of entries', [['a', { n: 1 }] as const, ['b', { n: 2 }] as const]],
    ['an array of maps', [{ a: { n: 1 } }, { b: { n: 2 } }]],
    [
      'a Map',
      new Map([
        ['a', { n: 1 }],
        ['b', { n: 2 }],
      ]),
    ],
  ])('are made of %s', async (_, objects) => {
    expect(await all(objectBatches(objects))).toEqual([{ a: { n: 1 }, b: { n: 2 } }])
  })

  test('are made of a stream, without reading ahead', async () => {
    let read = 0
    async function* stream() {
      for await (const entry of entries(10)) {
        read++
        yield entry
      }
    }
    const batches = objectBatches(stream(), { count: 3 })
    await batches.next()
    expect(read).toBe(4)
  })

  test('hold at most the given count, 1,000 by default', async () => {
    expect((await all(objectBatches(entries(2500)))).map(batch => Object.keys(batch).length)).toEqual([1000, 1000, 500])
    expect((await all(objectBatches(entries(5), { count: 2 }))).map(batch => Object.keys(batch).length)).toEqual([
      2, 2, 1,
    ])
  })

  test('hold at most the given number of UTF-8 bytes; a larger object is a batch by itself', async () => {
    const objects = [
      ['a', { t: 'ü'.repeat(40) }] as const,
      ['b', { t: 'x'.repeat(40) }] as const,
      ['c', { t: 'x'.repeat(900) }] as const,
      ['d', {}] as const,
    ]
    const batches = await all(objectBatches(objects, { bytes: 130 }))
    expect(batches.map(batch => Object.keys(batch))).toEqual([['a'], ['b'], ['c'], ['d']])
    expect((await all(objectBatches(objects, { bytes: 180 }))).map(batch => Object.keys(batch))).toEqual([
      ['a', 'b'],
      ['c'],
      ['d'],
    ])
  })

  test('never hold one id twice, so that the second write is merged and not lost', async () => {
    const objects = [['a', { n: 1 }] as const, ['b', {}] as const, ['a', { m: 2 }] as const]
    expect(await all(objectBatches(objects))).toEqual([{ a: { n: 1 }, b: {} }, { a: { m: 2 } }])
  })

  test('take any id as plain data', async () => {
    const [batch] = await all(
      objectBatches([
        ['__proto__', { n: 1 }],
        ['constructor', { n: 2 }],
      ]),
    )
    expect(JSON.stringify(batch)).toBe('{"__proto__":{"n":1},"constructor":{"n":2}}')
  })

  test('of nothing are one empty batch', async () => {
    expect(await all(objectBatches({}))).toEqual([{}])
    expect(await all(idBatches([]))).toEqual([[]])
  })
})

describe('batches of ids', () => {
  test('are bounded too, and a string is one id', async () => {
    expect(await all(idBatches(['a', 'b', 'c'], { count: 2 }))).toEqual([['a', 'b'], ['c']])
    expect(await all(idBatches('abc'))).toEqual([['abc']])
  })
})

test('users are created as one is, or whole, with the role of the call unless they have one', async () => {
  const bodies: unknown[] = []
  const fetch = async (_: string, init?: { readonly body?: unknown }) => {
    bodies.push(JSON.parse(String(init?.body)))
    return Response.json({ created: [], existing: [] })
  }
  const admin = new AdminClient({ url: 'http://sync.example', token: 'secret', fetch: fetch as never })
  const plain = { login: 'ada', password: 'a long one', attributes: { floor: 3 } }
  const whole = { attributes: { login: 'robot' }, role: 'plugin', password_hash: 'scrypt$1' } as const
  await admin.users.createMany([plain, whole])
  await admin.users.createMany([plain, whole], { role: 'reader' })
  expect(bodies).toEqual([
    { users: [{ attributes: plain }, whole] },
    { users: [{ attributes: plain, role: 'reader' }, whole] },
  ])
})

test('a thousand users are made in requests of fifty, and progress is told after each', async () => {
  const sent: number[] = []
  const fetch = async (_: string, init?: { readonly body?: unknown }) => {
    const { users } = JSON.parse(String(init?.body)) as { users: readonly { attributes: { login: string } }[] }
    sent.push(users.length)
    return Response.json({ created: users.map(({ attributes: { login } }) => login), existing: [] })
  }
  const admin = new AdminClient({ url: 'http://sync.example', token: 'secret', fetch: fetch as never })
  const users = Array.from({ length: 1001 }, (_, n) => ({ attributes: { login: `user ${n}` } }))
  const told: number[] = []
  const { created } = await admin.users.createMany(users, { onProgress: count => told.push(count) })
  expect(created).toHaveLength(1001)
  expect(sent).toEqual([...Array.from({ length: 20 }, () => 50), 1])
  expect([told[0], told.at(-1)]).toEqual([50, 1001])
})
