import type { AuditEntry, PartitionState, ServerState } from '@godwit/protocol'
import { defineSource, type SourceDefinition } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { until, verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { ask } from '../../device/pull/device.fixture.js'
import { pull as readPage } from '../../device/pull/pull.js'
import { startBackground } from '../../start/background.js'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { EDGES, failure, json, type TestServer } from '../../testing/open-server.js'

const COLLECTION = { source: 'Order', partition: 'user:ada' }

const orders = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`o${from + index}`, {}]))

/** A source whose query has these answers in turn, the last one again and again. */
function ofAnswers(answers: (Record<string, object> | Error)[], more: Partial<SourceDefinition<object>> = {}) {
  const query = jest.fn(() => {
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? {}
    if (answer instanceof Error) throw answer
    return answer
  })
  return { query, source: defineSource<object>({ name: 'Order', pollInterval: 0, query, ...more }) }
}

async function world(...given: Parameters<typeof ofAnswers>) {
  const { source, query } = ofAnswers(...given)
  const engine = await testEngine([source], { limits: { sweepInterval: 0.01 } })
  const pull = (token?: string) => ask(engine, 'Order', testClient(), token, 1000)
  const head = () => engine.store.collections.open(COLLECTION)
  return { engine, query, pull, head }
}

describe('removals of too many objects', () => {
  test('are held back while everything else goes on, and the device gets a text for its user', async () => {
    const { pull } = await world([orders(0, 200), { ...orders(0, 70), o7: { changed: true }, added: {} }])
    const first = await pull()
    const page = await pull(first.token)
    expect(page).toMatchObject({ insert: { o7: { changed: true }, added: {} }, total_count: 201 })
    expect(page.delete).toBeUndefined()
    expect(page.source_error).toEqual({
      code: 'removals_pending',
      message:
        '130 entries here may no longer exist, or may no longer be yours. They stay until the removal is confirmed. Everything else is up to date.',
    })
  })

  test('are applied by a query that agrees a minute later', async () => {
    const { engine, pull } = await world([orders(0, 200), orders(0, 70)])
    await pull()
    await pull()
    engine.pass(59_999)
    expect((await pull()).total_count).toBe(200)
    engine.pass(1)
    const page = await pull()
    expect([page.total_count, page.source_error]).toEqual([70, undefined])
  })

  test('are applied at once if the source allows it', async () => {
    const { pull } = await world([orders(0, 200), {}], { maxRemovedShare: 1 })
    await pull()
    expect(await pull()).toMatchObject({ total_count: 0 })
  })

  test('of a result without any object are applied after an hour', async () => {
    const { engine, pull } = await world([orders(0, 200), {}])
    await pull()
    await pull()
    engine.pass(3_599_999)
    expect((await pull()).total_count).toBe(200)
    engine.pass(1)
    expect((await pull()).total_count).toBe(0)
  })

  test('of a partition of all users are never applied by queries alone', async () => {
    const { engine, pull } = await world([orders(0, 200), orders(0, 70)], { partition: 'app' })
    await pull()
    for (let days = 0; days < 3; days++) {
      engine.pass(86_400_000)
      const page = await pull()
      expect(page.total_count).toBe(200)
      expect(page.source_error?.message).toContain('until an operator of the server confirms the removal.')
    }
  })

  test.each([-1, 0, 7200])('are confirmed by a query of the server, with poll interval %s', async pollInterval => {
    const { engine, query, pull, head } = await world([orders(0, 200), orders(0, 70)], { pollInterval })
    const { collections } = engine.store
    await collections.open(COLLECTION)
    for (let times = 0; times < 2; times++) {
      await collections.requestQuery(COLLECTION)
      await pull()
    }
    expect(await head()).toMatchObject({ count: 200, pendingRemovals: { count: 130, user: 'ada' } })
    const background = startBackground(engine)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(query).toHaveBeenCalledTimes(2)
    engine.pass(60_000)
    await until(async () => (await head()).count === 70)
    await new Promise(resolve => setTimeout(resolve, 50))
    await background.stop()
    expect(query).toHaveBeenCalledTimes(3)
    expect('pendingRemovals' in (await head())).toBe(false)
  })

  test('are asked for again a minute after a query of the server failed', async () => {
    const answers = [orders(0, 200), orders(0, 70), new Error('the table is gone'), orders(0, 70)]
    const { engine, query, pull, head } = await world(answers)
    await pull()
    await pull()
    const background = startBackground(engine)
    engine.pass(60_000)
    await until(async () => (await head()).sourceError !== undefined)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect([query.mock.calls.length, (await head()).pendingRemovals?.count]).toEqual([3, 130])
    engine.pass(60_000)
    await until(async () => (await head()).count === 70)
    await background.stop()
    expect(query).toHaveBeenCalledTimes(4)
  })

  test('are not confirmed by the server for a user who is gone, nor with parameters of an app', async () => {
    for (const parameters of [{}, { region: 'north' }]) {
      const { engine, query, head } = await world([orders(0, 200), orders(0, 70)], { queryParameters: ['region'] })
      const asked = { source: 'Order', user: 'ada', token: undefined, pageSize: 1, acknowledged: 0, parameters }
      for (let times = 0; times < 2; times++) await readPage(engine, { ...asked, client: testClient() })
      if (!('region' in parameters)) await engine.store.registry.delete('user', 'ada')
      const background = startBackground(engine)
      engine.pass(3_600_000)
      await new Promise(resolve => setTimeout(resolve, 50))
      await background.stop()
      expect([query.mock.calls.length, (await head()).count]).toEqual([2, 200])
    }
  })

  test('that wait with a row that a device wrote leave that row alone', async () => {
    const { engine, pull, head } = await world([orders(0, 200), orders(0, 70)])
    await pull()
    await pull()
    engine.pass(60_000)
    const { collections } = engine.store
    const meanwhile = collections.replace
    const replace: typeof meanwhile = async (...given) => {
      await collections.apply(COLLECTION, { merge: { o150: { mine: true } } })
      return meanwhile(...given)
    }
    Object.assign(collections, { replace })
    await pull()
    expect(await head()).toMatchObject({ count: 71 })
    expect(await collections.get(COLLECTION, ['o150'])).toEqual({ o150: { mine: true } })
  })
})

describe.each(EDGES)('accepting removals, %s', (_, open) => {
  let on: TestServer
  let now: number
  let shared: Record<string, object>[]
  let own: Record<string, object>[]
  beforeEach(async () => {
    now = 1_700_000_000_000
    shared = [orders(0, 200), {}]
    own = [orders(0, 200), orders(0, 70)]
    const clock = () => now
    const sources = [
      ofAnswers(shared, { name: 'Price', partition: 'app', pollInterval: -1 }).source,
      ofAnswers(own, { pollInterval: -1 }).source,
    ]
    on = await open({ sources, clock, store: openMemoryStore({ clock }) })
    await on.device('ada')
    for (const [user, source] of [
      ['*', 'Price'],
      ['ada', 'Order'],
    ] as const)
      for (let times = 0; times < 2; times++) await refresh(user, source)
  })
  afterEach(() => on.server.close())

  const path = (user: string, source: string) => `/rc/v1/users/${encodeURIComponent(user)}/sources/${source}`
  const refresh = async (user: string, source: string) =>
    on.call('POST', `/rc/v1/readstate/users/${encodeURIComponent(user)}/sources/${source}/refresh`, {
      headers: await on.as(),
    })
  const accept = async (user: string, source: string) =>
    on.call('POST', `${path(user, source)}/accept_removals`, { headers: await on.as() })
  const partition = async (user: string, source: string) =>
    json<PartitionState>(await on.call('GET', path(user, source), { headers: await on.as() }))

  test('applies them at once, for a user or for all', async () => {
    verifies('rest.sources.accept-removals')

    const since = new Date(now).toISOString()
    const confirm_at = new Date(now + 60_000).toISOString()
    expect((await partition('ada', 'Order')).pending_removals).toEqual({
      count: 130,
      since,
      confirm_at,
      accepted: false,
    })
    expect((await partition('*', 'Price')).pending_removals).toMatchObject({ count: 200, confirm_at: null })
    expect(await json(await accept('*', 'Price'))).toMatchObject({ count: 0, pending_removals: null })
    expect(await json(await accept('ada', 'Order'))).toMatchObject({ count: 70, pending_removals: null })
  })

  test('applies no others, and changes nothing without any', async () => {
    verifies('rest.sources.accept-removals')

    own[0] = orders(150, 200)
    expect(await json(await accept('ada', 'Order'))).toMatchObject({ count: 200, pending_removals: { count: 150 } })
    shared[0] = orders(0, 200)
    await refresh('*', 'Price')
    expect(await json(await accept('*', 'Price'))).toMatchObject({ count: 200, pending_removals: null })
    expect(await failure(await accept('*', 'Order'))).toBe('422 value_not_allowed')
    expect(await failure(await accept('nobody', 'Order'))).toBe('404 user_not_found')
  })

  test('is needed as state, metrics, explanation and audit say', async () => {
    verifies('rest.sources.accept-removals')

    const headers = await on.as()
    const since = new Date(now).toISOString()
    const state = await json<ServerState>(await on.call('GET', '/rc/v1/system/state', { headers }))
    expect(state.pending_removals).toMatchObject([
      { source: 'Order', partition: 'user:ada', count: 130, since },
      { source: 'Price', partition: '*', count: 200, since, confirm_at: null },
    ])
    expect(state.warnings).toContainEqual({
      about: 'Price',
      says: `200 removals held back since ${since} in partition *: a query would remove too many objects.`,
      todo: 'If the query result is correct, accept them: godwit sources accept Price. Otherwise, fix the query.',
    })
    const metrics = await (await on.call('GET', '/metrics')).text()
    expect(metrics).toContain('godwit_removals_pending{source="Order"} 130')
    expect(metrics).toContain(`godwit_removals_pending_since_seconds{source="Price"} ${now / 1000}`)
    await accept('*', 'Price')
    const entries = await json<AuditEntry[]>(await on.call('GET', '/rc/v1/audit', { headers }))
    const said = entries.map(({ action, login, about }) => [action, login, about['source'] ?? about['source_id']])
    expect(said.filter(([action]) => /removals/i.test(String(action)))).toEqual([
      ['sources.acceptRemovals', 'admin', 'Price'],
      ['query.end_removals', null, 'Price'],
      ['query.hold_removals', null, 'Order'],
      ['query.hold_removals', null, 'Price'],
    ])
    expect(entries.find(({ action }) => action === 'query.hold_removals')?.about).toEqual({
      ...{ source: 'Order', partition: 'user:ada', removals: 130, since },
    })
  })
})
