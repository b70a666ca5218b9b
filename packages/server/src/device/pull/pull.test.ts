import { schemas } from '@godwit/protocol/schemas'
import { compile } from '@godwit/protocol/validate'
import { defineSource } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { ask, catchUp, MinimalDevice } from './device.fixture.js'
import { pull } from './pull.js'

const COLLECTION = { source: 'Thing', partition: 'user:ada' }
const isPage = compile(schemas.device.pull.answer, { what: 'answer' })

async function world() {
  const engine = await testEngine([defineSource({ name: 'Thing', pollInterval: -1 })])
  const { collections } = engine.store
  const put = (objects: Record<string, object>) => collections.apply(COLLECTION, { replace: objects as never })
  const remove = (...ids: string[]) => collections.apply(COLLECTION, { remove: ids })
  const page = (token?: string, pageSize = 500, client = testClient()) => ask(engine, 'Thing', client, token, pageSize)
  return { engine, collections, put, remove, page }
}

test('a page that waits for its backend uses the bytes of its rows alone, and none after it failed', async () => {
  const { promise: hanging, reject } = Promise.withResolvers<never>()
  const answers = [{ a: { note: 'one' } }]
  const query = () => answers.shift() ?? hanging
  const engine = await testEngine([defineSource({ name: 'Thing', passThrough: true, query })])
  const lease = engine.replyBudget.lease('ada')
  const client = testClient()
  const pulling = pull(engine, {
    source: 'Thing',
    user: 'ada',
    client,
    token: '',
    pageSize: 500,
    acknowledged: 0,
    lease,
  })
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(engine.replyBudget.used).toBeLessThan(1000)
  reject(new Error('the backend is down'))
  await pulling
  lease.end()
  expect(engine.replyBudget.used).toBe(0)
})

describe('a page', () => {
  test('carries whole objects with their versions, counts, and a checksum at the end of the pass', async () => {
    const { put, page } = await world()
    await put({ a: { note: 'x' }, b: {} })
    const first = isPage(await page())
    expect(first).toMatchObject({
      version: 4,
      status: 'ok',
      more: false,
      ends: true,
      count: 2,
      progress_count: 2,
      total_count: 2,
      insert: { a: { note: 'x' }, b: {} },
      versions: { a: 1, b: 1 },
    })
    expect(first.checksum).toMatch(/^[0-9a-f]{16}$/)
    expect(first).not.toHaveProperty('delete')
  })

  test('is the same when a token is used again', async () => {
    const { put, page } = await world()
    await put({ a: {}, b: {}, c: {} })
    const { token } = await page(undefined, 1)
    expect(await page(token, 1)).toEqual(await page(token, 1))
  })

  test('counts the pass so far, and says that more follows', async () => {
    const { put, page } = await world()
    await put({ a: {}, b: {}, c: {} })
    const first = await page(undefined, 2)
    expect(first).toMatchObject({ more: true, count: 2, progress_count: 2, total_count: 3 })
    expect(await page(first.token, 2)).toMatchObject({ more: false, count: 1, progress_count: 3 })
  })

  test('after the pass brings only what changed', async () => {
    const { put, remove, page } = await world()
    await put({ a: {}, b: {} })
    const { token } = await page()
    await put({ a: { note: 'new' } })
    await remove('b')
    const next = isPage(await page(token))
    expect(next).toMatchObject({
      status: 'ok',
      insert: { a: { note: 'new' } },
      delete: ['b'],
      versions: { a: 2, b: 3 },
    })
  })

  test('of size 0 has counts only and keeps the token', async () => {
    const { put, page } = await world()
    await put({ a: {} })
    const { token } = await page()
    expect(await page(token, 0)).toMatchObject({ token, count: 0, total_count: 1 })
  })

  test('takes any id and any attribute name as data', async () => {
    const { collections, page } = await world()
    const objects = JSON.parse('{"__proto__":{"constructor":"x","__proto__":{"a":1}},"a\\n*:\\u0000":{}}')
    await collections.apply(COLLECTION, { replace: objects })
    expect((await page()).insert).toEqual(objects)
  })
})

describe('a resync', () => {
  test.each<[string, (world_: Awaited<ReturnType<typeof world>>, token: string) => Promise<string> | string]>([
    ['a token that does not parse', () => 'nonsense'],
    ['a token of another shape', () => Buffer.from('[1,2,3]').toString('base64url')],
    [
      'a token of another epoch',
      async ({ collections, put }, token) => {
        await collections.drop(COLLECTION)
        await put({ c: {} })
        return token
      },
    ],
    [
      'a token whose base is below the floor',
      async ({ collections, remove }, token) => {
        await remove('a')
        await remove('b')
        await collections.compact(COLLECTION, { below: 3, limit: 10 })
        return token
      },
    ],
  ])('answers %s with a pass from zero under a new pass id', async (_, spoil) => {
    const made = await world()
    await made.put({ a: {}, b: {} })
    const before = await made.page()
    const page = await made.page(await spoil(made, before.token))
    expect(page.status).toBe('resync')
    expect(page.pass).not.toBe(before.pass)
  })

  test('follows a reset of the client', async () => {
    const { put, page } = await world()
    await put({ a: {} })
    const { token } = await page(undefined, 500, testClient('c', 'ada', 'old'))
    expect((await page(token, 500, testClient('c', 'ada', 'new'))).status).toBe('resync')
  })

  test('keeps its status and its pass id on every page, and the next pass is ordinary', async () => {
    const { put, page } = await world()
    await put({ a: {}, b: {}, c: {} })
    const first = await page('nonsense', 2)
    const second = await page(first.token, 2)
    expect([first.status, second.status]).toEqual(['resync', 'resync'])
    expect(second.pass).toBe(first.pass)
    expect((await page(second.token)).status).toBe('ok')
  })

  test('the first pull of a device is no resync', async () => {
    const { page } = await world()
    expect((await page()).status).toBe('ok')
  })
})

type Step =
  | { readonly do: 'put'; readonly ids: readonly string[]; readonly value: number }
  | { readonly do: 'remove'; readonly ids: readonly string[] }
  | { readonly do: 'compact' }
  | { readonly do: 'drop' }
  | { readonly do: 'nonce' | 'pull' | 'lose'; readonly device: 0 | 1; readonly size: number }

const ids = fc.array(fc.constantFrom('a', 'b', '__proto__', 'é', '\u{1f600}', '\uffff'), { minLength: 1, maxLength: 3 })
const device = fc.constantFrom<0 | 1>(0, 1)
const size = fc.integer({ min: 1, max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), ids, value: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), ids }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'compact' }, { do: 'drop' }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('pull' as const, 'lose' as const), device, size }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('nonce' as const), device, size }) },
)

test('any history ends with every device equal to the collection, and the checksums agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      const { engine, collections } = await world()
      const devices = [new MinimalDevice(), new MinimalDevice()] as const
      const nonces = ['n0', 'n1']
      const client = (which: 0 | 1) => testClient(`client-${which}`, 'ada', nonces[which])
      for (const [index, given] of steps.entries()) {
        if (given.do === 'put') {
          const replace = Object.fromEntries(given.ids.map(id => [id, { value: given.value }]))
          await collections.apply(COLLECTION, { replace })
        } else if (given.do === 'remove') await collections.apply(COLLECTION, { remove: given.ids })
        else if (given.do === 'compact') {
          await collections.compact(COLLECTION, { below: (await collections.open(COLLECTION)).version, limit: 2 })
        } else if (given.do === 'drop') await collections.drop(COLLECTION)
        else if (given.do === 'nonce') nonces[given.device] = `n${index}`
        else {
          const page = await ask(engine, 'Thing', client(given.device), devices[given.device].token, given.size)
          if (given.do === 'pull') devices[given.device].apply(page)
        }
      }
      for (const which of [0, 1] as const) {
        await catchUp(engine, devices[which], 'Thing', client(which))
        const last = await catchUp(engine, devices[which], 'Thing', client(which))
        const present = await collections.get(COLLECTION, ['a', 'b', '__proto__', 'é', '\u{1f600}', '\uffff'])
        expect(devices[which].objects()).toEqual({ ...present })
        expect(devices[which].checksum()).toBe(last.checksum)
      }
    }),
    { numRuns: 300 },
  )
})
