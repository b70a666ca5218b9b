import type { Attributes } from '@godwit/protocol'
import { defineSource, type SourceContext, type SourceDefinition, type WriteContext } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { silentLog } from '../../base/log.js'
import { ask } from '../../device/pull/device.fixture.js'
import { push } from '../../device/push/push.js'
import { testClient, testEngine } from '../../testing/engine.fixture.js'

async function world(definition: Partial<SourceDefinition<Attributes>>) {
  const engine = await testEngine([defineSource<Attributes>({ name: 'Thing', ...definition })])
  const pull = (user = 'ada') => ask(engine, 'Thing', testClient(`client of ${user}`, user), undefined, 500)
  return { engine, pull }
}

test('a source of a name alone has the defaults', () => {
  expect(defineSource({ name: 'Thing' })).toMatchObject({
    partition: 'user',
    pollInterval: 300,
    syncPriority: 1000,
    retryLimit: 0,
    idempotent: false,
    settle: 0,
    conflict: 'client-wins',
    methods: {},
  })
})

test('every function may be left out', async () => {
  const { engine, pull } = await world({})
  const page = await pull()
  expect(page).toMatchObject({ total_count: 0, status: 'ok' })
  expect(page.source_error).toBeUndefined()
  await engine.store.collections.apply({ source: 'Thing', partition: 'user:ada' }, { merge: { a: { x: 1 } } })
  expect((await pull()).insert).toEqual({ a: { x: 1 } })
})

test.each(['timeout', 'queryTimeout'])('a %s that no timer can wait for is refused', name => {
  expect(() => defineSource({ name: 'Thing', [name]: 2_147_484 })).toThrow(
    `${name} of the source Thing: expected seconds, 0 to 2147483, got 2147484.`,
  )
})

test('a query that would remove more than half is refused unless the source allows it', async () => {
  const all = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`id ${index}`, { index }]))
  const few = Object.fromEntries(Object.entries(all).slice(0, 99))
  for (const [share, left] of [
    [{}, 200],
    [{ maxRemovedShare: 1 }, 99],
  ] as const) {
    let answer: Record<string, Attributes> = all
    const { pull } = await world({ pollInterval: 0, query: () => answer, ...share })
    await pull()
    answer = few
    expect((await pull()).total_count).toBe(left)
  }
})

test('functions get user, partition, logger, and a signal that ends with the call', async () => {
  const contexts: SourceContext[] = []
  const { pull } = await world({
    partitionName: user => `team of ${user}`,
    queryTimeout: 0.02,
    query: context => {
      contexts.push(context)
      return new Promise(() => {})
    },
  })
  expect((await pull()).source_error?.code).toBe('backend_timeout')
  expect(contexts).toMatchObject([{ user: 'ada', partition: 'team of ada', log: silentLog }])
  expect(contexts[0]?.signal.aborted).toBe(true)
})

test('writes get one key for all attempts of a mutation', async () => {
  const keys: string[] = []
  const note = ({ idempotencyKey }: WriteContext): void => {
    keys.push(idempotencyKey)
    if (keys.length === 1) throw new Error('who knows')
  }
  const { engine, pull } = await world({
    pollInterval: -1,
    idempotent: true,
    create: (_, context) => note(context),
    update: (_, __, context) => note(context),
    delete: (_, context) => note(context),
  })
  const { epoch } = await pull()
  const client = testClient('client of ada', 'ada')
  const send = (number: number, operation: 'create' | 'update' | 'delete') => {
    const mutation = { number, key: `key-${number}-0123456789`, operation, object: `o${number}`, attributes: { x: 1 } }
    const body = { epoch, acknowledged: 0, mutations: [mutation] }
    return push(engine, { source: 'Thing', user: 'ada', client, push: body })
  }
  expect((await send(1, 'create')).outcomes).toMatchObject([{ status: 'queued' }])
  engine.pass(60_000)
  expect((await send(1, 'create')).outcomes).toMatchObject([{ status: 'applied' }])
  await send(2, 'update')
  await send(3, 'delete')
  expect(keys).toEqual([1, 1, 2, 3].map(number => `key-${number}-0123456789`))
})

test('users of one partition name share a partition', async () => {
  const { engine, pull } = await world({
    pollInterval: -1,
    partitionName: user => (user === 'linus' ? 'other' : 'team'),
  })
  await engine.store.collections.apply({ source: 'Thing', partition: 'name:team' }, { merge: { a: {} } })
  expect([
    (await pull('ada')).total_count,
    (await pull('grace')).total_count,
    (await pull('linus')).total_count,
  ]).toEqual([1, 1, 0])
})
