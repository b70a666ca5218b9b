import { type Attributes, routes, SyncError } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { type Jobs, openMemoryJobs, openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { City, EDGES, failure, json, openServer, type TestServer, Visit } from '../testing/open-server.js'

/** Name and labels of each line → value. */
async function scrape(on: TestServer, headers: Record<string, string> = {}): Promise<ReadonlyMap<string, number>> {
  const answer = await on.ask('/metrics', { headers })
  expect(answer.status).toBe(200)
  const lines = (await answer.text()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

async function makeDeadJob(jobs: Jobs, queue: string, id: string): Promise<void> {
  await jobs.enqueue({ queue, id, kind: 'query', data: null, attempts: 1 })
  const worker = await jobs.work(() => Promise.reject(new Error('no paper')), { queues: [queue] })
  await until(async () => (await jobs.get(queue, id))?.state === 'dead')
  await worker.close()
}

describe.each(EDGES)('metrics, %s', (_name, open) => {
  test('are text for Prometheus, open to every caller', async () => {
    const on = await open()
    const answer = await on.ask('/metrics')
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await answer.text()
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^($|# (HELP|TYPE) \w+ |\w+(\{(\w+="[^"]*",?)+\})? [-+\d.eInf]+$)/)
    }
    expect(text).toContain('# TYPE godwit_request_duration_seconds histogram')
    expect((await on.ask('/metrics', { method: 'HEAD' })).status).toBe(200)
    await on.server.close()
  })

  test('are protected by a token where configured', async () => {
    const on = await open({ metricsToken: 'a token of the metrics' })
    const ask = async (authorization?: string) =>
      failure(await on.ask('/metrics', authorization === undefined ? {} : { headers: { authorization } }))
    expect(await ask()).toBe('401 token_missing')
    expect(await json(await on.ask('/metrics'))).toMatchObject({
      title: 'The token is missing',
    })
    expect(await ask('Bearer another')).toBe('401 token_invalid')
    expect(await ask('a token of the metrics')).toBe('401 token_missing')
    expect((await on.ask('/metrics')).headers.get('www-authenticate')).toBe('Bearer realm="metrics"')
    expect((await scrape(on, { authorization: 'bearer a token of the metrics' })).size).toBeGreaterThan(9)
    expect((await scrape(on, { authorization: 'Bearer a token of the metrics' })).size).toBeGreaterThan(9)
    await on.server.close()
  })
})

describe('metrics', () => {
  test('observe requests by route, and pulls, pushes, queries and pages', async () => {
    const Slow = defineSource<Attributes>({
      name: 'Slow',
      partition: 'app',
      pollInterval: 0,
      query: () => ({ a: { n: 1 }, b: { n: 2 } }),
      create: () => undefined,
    })
    const on = openServer({ sources: [Slow] })
    const { headers } = await on.device('ada')
    const page = await json<{ epoch: string }>(await on.call('GET', '/app/v1/Slow', { headers }))
    const mutation = { number: 1, key: 'key-of-mutation-1', operation: 'create', object: 't', attributes: {} }
    const body = { epoch: page.epoch, acknowledged: 0, mutations: [mutation] }
    await on.call('POST', '/app/v1/Slow', { headers, body })
    await on.call('POST', '/app/v1/Slow', { headers, body: { ...body, epoch: 'another' } })
    const metrics = await scrape(on)
    const count = (name: string, labels = '') => metrics.get(`${name}_count${labels}`)
    expect(count('godwit_request_duration_seconds', '{route="device.pull"}')).toBe(1)
    expect(count('godwit_request_duration_seconds', '{route="device.push"}')).toBe(2)
    expect(metrics.get('godwit_request_failures_total{route="device.push",code="epoch_changed"}')).toBe(1)
    expect(count('godwit_pull_duration_seconds')).toBe(1)
    expect(count('godwit_push_duration_seconds')).toBe(1)
    expect(count('godwit_query_duration_seconds', '{source="Slow"}')).toBe(1)
    expect([count('godwit_page_rows'), metrics.get('godwit_page_rows_sum')]).toEqual([1, 2])
    const rows = ['0', '1', '10', '+Inf'].map(le => metrics.get(`godwit_page_rows_bucket{le="${le}"}`))
    expect(rows).toEqual([0, 0, 1, 1])
  })

  test('count the queries that fail, by source', async () => {
    let down = false
    const Away = defineSource<Attributes>({
      name: 'Away',
      pollInterval: 0,
      query() {
        if (down) throw new Error('The backend is away.')
        return {}
      },
    })
    const on = openServer({ sources: [Away] })
    const { headers } = await on.device('ada')
    const failed = async () => (await scrape(on)).get('godwit_query_failures_total{source="Away"}')
    await on.call('GET', '/app/v1/Away', { headers })
    expect(await failed()).toBe(0)
    down = true
    for (const _ of [1, 2]) await on.call('GET', '/app/v1/Away', { headers })
    expect(await failed()).toBe(2)
  })

  test('show the contents of the store, counted at intervals', async () => {
    let now = Date.now()
    const on = openServer({ clock: () => now })
    const shown = async () => {
      const metrics = await scrape(on)
      return ['users', 'devices', 'sessions', 'store_up'].map(name => metrics.get(`godwit_${name}`))
    }
    expect(await shown()).toEqual([1, 0, 0, 1])
    await on.device('ada')
    expect(await shown()).toEqual([1, 0, 0, 1])
    now += 10_000
    // The session of the device, and the token of the admin who made its user.
    expect(await shown()).toEqual([2, 1, 2, 1])
  })

  test('show the journal by state, and event streams', async () => {
    let down = true
    const Doubtful = defineSource<Attributes>({
      name: 'Doubtful',
      pollInterval: -1,
      create() {
        if (down) throw new Error('down')
      },
    })
    const on = openServer({ sources: [Doubtful] })
    const { headers } = await on.device('ada')
    const page = await json<{ epoch: string }>(await on.call('GET', '/app/v1/Doubtful', { headers }))
    const mutation = { number: 1, key: 'key-of-mutation-1', operation: 'create', object: 't', attributes: {} }
    const body = { epoch: page.epoch, acknowledged: 0, mutations: [mutation] }
    await on.call('POST', '/app/v1/Doubtful', { headers, body })
    down = false
    const events = await on.ask('/rc/v1/app/events', { headers })
    const reading = events.body?.getReader()
    await reading?.read()
    const metrics = await scrape(on)
    const states = ['queued', 'started', 'in_doubt'].map(state =>
      metrics.get(`godwit_journal_mutations{state="${state}"}`),
    )
    expect(states).toEqual([0, 0, 1])
    expect(metrics.get('godwit_event_streams')).toBe(1)
    await reading?.cancel()
    expect((await scrape(on)).get('godwit_event_streams')).toBe(0)
  })

  test('show what the process takes, under the names that dashboards of Node know', async () => {
    const on = openServer()
    const before = await scrape(on)
    const after = await scrape(on)
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'nodejs_heap_size_total_bytes',
      'nodejs_external_memory_bytes',
    ])
      expect(after.get(name)).toBeGreaterThan(0)
    expect(after.get('nodejs_heap_size_used_bytes')).toBeLessThan(after.get('nodejs_heap_size_total_bytes') ?? 0)
    const [first = 0, second = 0] = [before, after].map(metrics => metrics.get('process_cpu_seconds_total'))
    expect(first).toBeGreaterThan(0)
    expect(second).toBeGreaterThanOrEqual(first)
    expect(second).toBeLessThan(2 * first)
  })

  test('show required and confirming replicas, and nothing where none is required', async () => {
    const store = openMemoryStore()
    let replicas: { wanted: number; present: number } | undefined = { wanted: 2, present: 1 }
    let now = Date.now()
    const measure = async () => ({ ...(await store.measure()), replicas })
    const on = await openServer({ store: { ...store, measure }, clock: () => now })
    const told = async () => {
      now += 60_000
      const metrics = await scrape(on)
      return ['wanted', 'present'].map(state => metrics.get(`godwit_store_replicas{state="${state}"}`))
    }
    expect(await told()).toEqual([2, 1])
    replicas = undefined
    expect(await told()).toEqual([undefined, undefined])
    await on.server.close()
  })

  test('count the store again after the clock was set back', async () => {
    let now = Date.now()
    const on = await openServer({ clock: () => now })
    const users = async () => (await scrape(on)).get('godwit_users')
    expect(await users()).toBe(1)
    now -= 24 * 3_600_000
    await on.device('ada')
    expect(await users()).toBe(2)
    await on.server.close()
  })

  test('count jobs by queue and state over all pages, and keep showing an empty queue', async () => {
    let now = Date.now()
    const jobs = openMemoryJobs()
    await makeDeadJob(jobs, 'paper', 'sheet')
    const on = openServer({ jobs, clock: () => now, limits: { jobConcurrency: 0 } })
    const counts = async () => {
      now += 10_000
      const lines = [...(await scrape(on))].filter(([name]) => name.startsWith('godwit_jobs'))
      return Object.fromEntries(lines.map(([name, count]) => [name.replace('godwit_jobs', ''), count]))
    }
    const enqueue = (queue: string, id: string) =>
      jobs.enqueue({ queue, id, kind: 'query', data: null, delay: 3_600_000 })
    for (let id = 0; id < 1203; id++) await enqueue('mail', `job ${id}`)
    await enqueue('print "all"', 'one')
    expect(await counts()).toEqual({
      ...{ '{queue="mail",state="waiting"}': 1203, '{queue="mail",state="running"}': 0 },
      ...{ '{queue="mail",state="dead"}': 0, '{queue="paper",state="waiting"}': 0 },
      ...{ '{queue="paper",state="running"}': 0, '{queue="paper",state="dead"}': 1 },
      ...{ '{queue="print \\"all\\"",state="waiting"}': 1, '{queue="print \\"all\\"",state="running"}': 0 },
      '{queue="print \\"all\\"",state="dead"}': 0,
    })
    await jobs.cancel('paper', 'sheet')
    expect((await counts())['{queue="paper",state="dead"}']).toBe(0)
  })

  test('contain no logins, objects, paths or unknown sources', async () => {
    const on = openServer({ sources: [City, Visit] })
    const { headers, client, session } = await on.device('hostile"user\n')
    const admin = await on.as()
    const secrets = [client, session.session, ...Object.values(admin)]
    for (const path of ['/hostile', '/rc/v1/hostile/a', '/app/v1/hostile', '/app/v1/hostile/versions'])
      await on.call('GET', path, { headers: { ...headers, ...admin } })
    await on.call('GET', '/rc/v1/users/hostile', { headers: admin })
    await on.call('POST', '/app/v1/City/push_objects', { headers: admin, body: { user_id: 'hostile', objects: {} } })
    await on.call('POST', '/rc/v1/system/login', { body: { login: 'hostile', password: 'hostile' } })
    const text = await (await on.ask('/metrics')).text()
    for (const hidden of ['hostile', ...secrets]) expect(text).not.toContain(hidden)
    const named = [...text.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route)
    const known = Object.entries(routes).flatMap(([group, lines]) => Object.keys(lines).map(name => `${group}.${name}`))
    expect(named.filter(route => !known.includes(route))).toEqual([])
  })

  test('are served while the store is down, without its contents', async () => {
    const store = openMemoryStore()
    const on = openServer({ store })
    expect((await scrape(on)).get('godwit_store_up')).toBe(1)
    const down = () => Promise.reject(new Error('down'))
    const failing = openServer({ store: { ...store, check: down, measure: down } })
    expect((await failing.ask('/readyz')).status).not.toBe(200)
    const metrics = await scrape(failing)
    expect(metrics.get('godwit_store_up')).toBe(0)
    const names = [...metrics.keys()].map(key => key.replace(/\{.*/, ''))
    expect(names.filter(name => /devices|sessions|journal|jobs/.test(name))).toEqual([])
    expect(metrics.has('godwit_event_loop_lag_seconds{quantile="0.99"}')).toBe(true)
  })

  test('say with /readyz that the store cannot be written, and what it holds if it can be read', async () => {
    const store = openMemoryStore()
    const full = new SyncError('store_unavailable', 'The disk is full.')
    let found: SyncError | undefined
    const lines: string[] = []
    const told = (_: object, line: string): void => void lines.push(line)
    const check = () => (found === undefined ? store.check() : Promise.reject(found))
    const on = openServer({ store: { ...store, check }, log: { error: told, warn: told, info: told, debug: () => {} } })
    const both = async () => [(await on.ask('/readyz')).status, (await scrape(on)).get('godwit_store_up')]
    expect(await both()).toEqual([200, 1])
    found = full
    expect(await both()).toEqual([503, 0])
    expect((await scrape(on)).has('godwit_users')).toBe(true)
    found = undefined
    expect(await both()).toEqual([200, 1])
    expect(lines.filter(line => /the store is/.test(line))).toEqual([
      'the store is not ready',
      'the store is ready again',
    ])
  })

  test('of two servers in one process are separate', async () => {
    const [one, other] = [openServer(), openServer()]
    await one.as()
    const logins = 'godwit_request_duration_seconds_count{route="system.login"}'
    expect([(await scrape(one)).get(logins), (await scrape(other)).get(logins)]).toEqual([1, undefined])
  })
})
