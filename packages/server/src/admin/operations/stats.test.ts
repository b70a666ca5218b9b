import type { Attributes } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { verifies } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { City, failure, json, openServer, type TestServer, Visit } from '../../testing/open-server.js'

interface Bucket {
  readonly time: number
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

const START = 1_700_000_040
const USERS = 'http:GET:/rc/v1/users'
const USER = 'http:GET:/rc/v1/users/<user_id>'

function withClock(options: Parameters<typeof openServer>[0] = {}) {
  const time = { now: START * 1000 }
  const on = openServer({ ...options, clock: () => time.now })
  return { on, time }
}

async function asker(on: TestServer) {
  const headers = await on.as()
  const ask = (query: string) => on.call('GET', `/rc/v1/system/stats?${query}`, { headers })
  return {
    headers,
    get: (path: string) => on.call('GET', path, { headers }),
    names: async (pattern: string) => json<string[]>(await ask(`names=${encodeURIComponent(pattern)}`)),
    metric: async (key: string, range = 'start=0&finish=-1') =>
      json<Bucket[]>(await ask(`metric=${encodeURIComponent(key)}&${range}`)),
    fails: async (query: string) => failure(await ask(query)),
  }
}

describe('the statistics of a metric', () => {
  test('are buckets of 60 seconds, including the current one', async () => {
    verifies('rest.system.stats.metric')

    const { on, time } = withClock()
    const { get, metric } = await asker(on)
    await get('/rc/v1/users')
    time.now += 59_999
    await get('/rc/v1/users')
    time.now += 1
    await get('/rc/v1/users/')
    const [first, second, ...none] = await metric(USERS)
    expect(none).toEqual([])
    expect([first, second]).toMatchObject([
      { time: START, count: 2 },
      { time: START + 60, count: 1 },
    ])
    expect(second).toEqual({ time: START + 60, count: 1, sum: second?.sum, min: second?.sum, max: second?.sum })
  })

  test('count requests by route, without the names in the path', async () => {
    const { on } = withClock()
    const { get, metric, names } = await asker(on)
    await get('/rc/v1/users/admin')
    await get('/rc/v1/users/nobody')
    expect(await metric(USER)).toMatchObject([{ count: 2 }])
    expect((await names('*')).filter(key => key.includes('admin') || key.includes('nobody'))).toEqual([])
  })

  test('are in seconds', async () => {
    const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
    const Slow = defineSource<Attributes>({
      name: 'Slow',
      partition: 'app',
      pollInterval: 0,
      async login() {},
      async *query() {
        await wait(30)
        yield { a: { n: 1 } }
        await wait(30)
      },
      async create() {
        await wait(20)
      },
      update: () => Promise.reject(new Error('the backend is down')),
      delete() {},
      search: () => ({}),
    })
    const on = openServer({ sources: [Slow] })
    const { metric } = await asker(on)
    const { headers } = await on.device('ada')
    const page = await json<{ epoch: string }>(await on.call('GET', '/app/v1/Slow', { headers }))
    const mutation = (number: number, operation: string) => ({
      number,
      key: `key-of-mutation-${number}`,
      operation,
      object: `o${number}`,
      ...(operation !== 'delete' && { attributes: { n: number } }),
    })
    const mutations = [mutation(1, 'create'), mutation(2, 'update'), mutation(3, 'delete')]
    const body = { epoch: page.epoch, acknowledged: 0, mutations }
    expect((await on.call('POST', '/app/v1/Slow', { headers, body })).status).toBe(200)
    await on.call('POST', '/rc/v1/app/search', { headers, body: { sources: ['Slow'], search: {} } })

    const [query] = await metric('source:query:Slow')
    // Timers may come a little early; nothing here takes half a minute.
    expect(query?.sum).toBeGreaterThan(0.05)
    expect(query?.sum).toBeLessThan(30)
    expect((await metric('source:create:Slow'))[0]?.min).toBeGreaterThan(0.015)
    for (const method of ['create', 'update', 'delete', 'search'])
      expect(await metric(`source:${method}:Slow`)).toMatchObject([{ count: 1 }])
    expect((await metric('source:login:Slow'))[0]?.count).toBeGreaterThanOrEqual(4)
  })

  test('are read by the indexes of buckets, -1 is the last', async () => {
    verifies('rest.system.stats.range', 'rest.system.stats.range-end')

    const { on, time } = withClock()
    const { get, metric } = await asker(on)
    for (let minute = 0; minute < 4; minute++) {
      for (let calls = 0; calls <= minute; calls++) await get('/rc/v1/users')
      time.now += 60_000
    }
    const counts = async (range: string) => (await metric(USERS, range)).map(({ count }) => count)
    expect(await counts('start=0&finish=-1')).toEqual([1, 2, 3, 4])
    expect(await counts('start=1&finish=2')).toEqual([2, 3])
    expect(await counts('start=-1&finish=-1')).toEqual([4])
    expect(await counts('start=2&finish=99')).toEqual([3, 4])
    expect(await counts('start=3&finish=1')).toEqual([])
    expect(await counts('')).toEqual([1, 2, 3, 4])
  })

  test('are empty for a known metric without values, and 404 for an unknown one', async () => {
    const { on } = withClock()
    const { metric, fails } = await asker(on)
    expect(await metric('source:delete:Visit')).toEqual([])
    expect(await metric('http:PUT:/rc/v1/users/<user_id>')).toEqual([])
    expect(await fails('metric=source:delete:Nothing&start=0&finish=-1')).toBe('404 metric_not_found')
    expect(await fails('metric=__proto__&start=0&finish=-1')).toBe('404 metric_not_found')
  })

  test('of users and clients are gauges', async () => {
    const { on, time } = withClock()
    const { metric } = await asker(on)
    expect(await metric('users')).toEqual([{ time: START, value: 1 }])
    await on.device('ada')
    expect(await metric('users')).toEqual([{ time: START, value: 2 }])
    time.now += 60_000
    await on.device('grace')
    expect(await metric('clients')).toEqual([
      { time: START, value: 1 },
      { time: START + 60, value: 2 },
    ])
  })

  test('are kept for 31 days', async () => {
    const { on, time } = withClock({ limits: { tokenLife: 365 * 24 * 3600 } })
    const { get, metric } = await asker(on)
    await get('/rc/v1/users')
    expect(await metric(USERS)).toHaveLength(1)
    time.now += 31 * 24 * 3600 * 1000 - 60_000
    expect(await metric(USERS)).toHaveLength(1)
    time.now += 60_000
    expect(await metric(USERS)).toEqual([])
  })
})

describe('metric names', () => {
  test('match a pattern and come sorted', async () => {
    verifies('rest.system.stats.names', 'rest.system.stats.glob')

    const { on } = withClock()
    const { names } = await asker(on)
    expect(await names('source:*:Visit')).toEqual([
      'source:create:Visit',
      'source:delete:Visit',
      'source:login:Visit',
      'source:query:Visit',
      'source:search:Visit',
      'source:update:Visit',
    ])
    expect(await names('users')).toEqual(['users'])
    expect(await names('nothing*')).toEqual([])
    const all = await names('*')
    expect(all).toEqual([...all].sort())
    expect(all).toContain('http:GET:/app/v1/<source_name>')
  })

  test('come neither from unknown paths nor from unknown sources', async () => {
    const { on } = withClock()
    const { get, headers, names } = await asker(on)
    const before = await names('*')
    for (const path of ['/hostile', '/rc/v1/hostile', '/app/v1/a/b/c', '/rc/v1/sources/hostile']) await get(path)
    await on.call('POST', '/app/v1/hostile/push_objects', { headers, body: { user_id: '*', objects: {} } })
    await on.call('BREW', '/rc/v1/users', { headers }).catch(() => {})
    await on.call('GET', '/app/v1/hostile', { headers: (await on.device('ada')).headers })
    expect(await names('*')).toEqual(before)
    const kept = await on.store.series.keys()
    expect(kept.filter(key => !before.includes(key))).toEqual([])
  })

  test('need either a pattern of at most 256 characters or a metric', async () => {
    const { on } = withClock()
    const { names, fails } = await asker(on)
    expect(await names('*'.repeat(256))).not.toEqual([])
    expect(await fails(`names=${'*'.repeat(257)}`)).toBe('422 body_invalid')
    expect(await fails('')).toBe('422 body_invalid')
    expect(await fails('start=0&finish=-1')).toBe('422 body_invalid')
    expect(await fails('names=*&metric=users')).toBe('422 body_invalid')
    expect(await fails('metric=users&start=soon')).toBe('422 body_invalid')
  })
})

describe('what is counted', () => {
  test('is written at the end, and added to the counts of other processes', async () => {
    const store = openMemoryStore({ clock: () => START * 1000 })
    const servers = [withClock({ store }), withClock({ store })].map(({ on }) => on)
    for (const on of servers) {
      await (await asker(on)).get('/rc/v1/users')
      await on.server.close()
    }
    expect(await store.series.read(USERS, { start: 0, finish: -1 })).toMatchObject([{ count: 2 }])
  })

  test('costs no write per request', async () => {
    const store = openMemoryStore({ clock: () => START * 1000 })
    let writes = 0
    const series: typeof store.series = {
      ...store.series,
      add: points => {
        writes++
        return store.series.add(points)
      },
    }
    const { on } = withClock({ store: { ...store, series }, sources: [City, Visit] })
    const { get, metric } = await asker(on)
    for (let calls = 0; calls < 50; calls++) await get('/rc/v1/users')
    expect(writes).toBe(0)
    await metric(USERS)
    expect(writes).toBe(1)
  })

  test('is not lost when the store fails for a while', async () => {
    const store = openMemoryStore({ clock: () => START * 1000 })
    let isDown = true
    const series: typeof store.series = {
      ...store.series,
      add: async points => {
        if (isDown) throw new Error('down')
        await store.series.add(points)
      },
    }
    const { on } = withClock({ store: { ...store, series } })
    const { get, metric, fails } = await asker(on)
    await get('/rc/v1/users')
    expect(await fails(`metric=${encodeURIComponent(USERS)}`)).toBe('500 internal')
    isDown = false
    await get('/rc/v1/users')
    expect(await metric(USERS)).toMatchObject([{ count: 2 }])
  })
})
