import type { Page } from '@godwit/protocol'
import { defineSource, type SourceDefinition } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import { pull } from '../../device/pull/pull.js'
import { testClient, testEngine } from '../../testing/engine.fixture.js'

type Definition = Partial<SourceDefinition<object>>
type World = Awaited<ReturnType<typeof testEngine>>

const world = (definition: Definition, parameterInterval = 0): Promise<World> =>
  testEngine([defineSource<object>({ name: 'Thing', queryTimeout: 5, ...definition })], {
    limits: { parameterInterval },
  })

interface PullOptions {
  readonly client?: string
  readonly token?: string | undefined
  readonly signal?: AbortSignal
}

async function pullWith(
  engine: World,
  parameters: { readonly [name: string]: string },
  { client = 'client-1', token, signal }: PullOptions = {},
) {
  const of = { source: 'Thing', user: 'ada', client: testClient(client), token, pageSize: 2, acknowledged: 0 }
  const text = await pull(engine, { ...of, parameters, ...(signal && { caller: { signal } }) })
  return JSON.parse(text.text) as Page
}

const soon = () => new Promise(resolve => setTimeout(resolve, 10))

/** A query that continues when the test says so. */
function held(definition: Definition = {}) {
  const seen: (string | undefined)[] = []
  const ends: (() => void)[] = []
  const source: Definition = {
    pollInterval: 300,
    ...definition,
    query({ parameters }) {
      seen.push(parameters['n'])
      return new Promise<Record<string, object>>(resolve => ends.push(() => resolve({ a: {}, b: {}, c: {} })))
    },
  }
  return { seen, source, go: () => ends.splice(0).map(end => end()) }
}

describe('parameters of a sync', () => {
  test('start a query at once, due or not', async () => {
    const seen: object[] = []
    const engine = await world({
      pollInterval: 300,
      query({ parameters }) {
        seen.push(parameters)
        return { [parameters['city'] ?? 'all']: {} }
      },
    })
    const first = await pullWith(engine, {})
    const second = await pullWith(engine, { city: 'Paris' }, { token: first.token })
    expect(second).toMatchObject({ insert: { Paris: {} }, delete: ['all'] })
    await pullWith(engine, {}, { token: first.token })
    expect(seen).toEqual([{}, { city: 'Paris' }])
  })

  test.each<[string, Definition, object | undefined]>([
    ['all of a user alone', {}, { n: '1', x: '2' }],
    ['none of an app source', { partition: 'app' }, undefined],
    ['none of a partition that users share', { partitionName: () => 'all' }, undefined],
    ['those that it names', { partition: 'app', queryParameters: ['n', '__proto__'] }, { n: '1' }],
    ['all where it says so', { partition: 'app', queryParameters: true }, { n: '1', x: '2' }],
    ['none where it says so', { queryParameters: false }, undefined],
  ])('reach a source as it declares: %s', async (_, definition, expected) => {
    const seen: object[] = []
    const query: Definition['query'] = ({ parameters }) => {
      seen.push({ ...parameters })
      return {}
    }
    const engine = await world({ pollInterval: 300, query, ...definition })
    const { token } = await pullWith(engine, {})
    await pullWith(engine, { n: '1', x: '2' }, { token })
    expect(seen.slice(1)).toEqual(expected === undefined ? [] : [expected])
  })

  test('are queried once a pass, and not joined to a running query', async () => {
    const { seen, source, go } = held()
    const engine = await world(source)
    const due = pullWith(engine, {})
    await soon()
    const asked = pullWith(engine, { n: '1' })
    await soon()
    expect(seen).toEqual([undefined])
    go()
    await due
    await soon()
    go()
    const page = await asked
    await pullWith(engine, { n: '1' }, { token: page.token })
    expect(seen).toEqual([undefined, '1'])
  })

  test('of the latest pull replace the running or waiting query of the client', async () => {
    const { seen, source, go } = held()
    const engine = await world(source)
    const first = pullWith(engine, { n: '1' })
    await soon()
    const pulls = ['2', '3'].map(n => pullWith(engine, { n }))
    await soon()
    const other = pullWith(engine, { n: 'other' }, { client: 'client-2' })
    await soon()
    expect(seen).toEqual(['1', '3'])
    go()
    await soon()
    go()
    await Promise.all([...pulls, other])
    expect(seen).toEqual(['1', '3', 'other'])
    expect((await first).status).toBe('ok')
  })

  test('of a caller who disconnects cancel the query, without an error', async () => {
    const { seen, source, go } = held()
    const engine = await world(source)
    const callers = Array.from({ length: 60 }, () => new AbortController())
    const pulls = callers.map(({ signal }, at) => pullWith(engine, { n: String(at) }, { client: `c${at}`, signal }))
    await soon()
    for (const caller of callers) caller.abort()
    const ends = await Promise.allSettled(pulls)
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(seen).toHaveLength(1)
    const plain = pullWith(engine, {})
    await soon()
    go()
    expect(await plain).toMatchObject({ insert: { a: {}, b: {} } })
    expect(await plain).not.toHaveProperty('source_error')
    expect(seen).toEqual(['0', undefined])
  })

  test('of a client are queried again after the minimum interval', async () => {
    const begun: number[] = []
    const query = () => {
      begun.push(performance.now())
      return {}
    }
    const engine = await world({ pollInterval: -1, query }, 0.2)
    for (let n = 0; n < 3; n++) await pullWith(engine, { n: String(n) })
    const [first = 0, second = 0, third = 0] = begun
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(150)
  })
})

test('a caller who disconnects does not end a query that others share', async () => {
  const { seen, source, go } = held()
  const engine = await world(source)
  const leaves = new AbortController()
  const pulls = [pullWith(engine, {}, { signal: leaves.signal }), pullWith(engine, {}, { client: 'client-2' })]
  await soon()
  leaves.abort()
  await expect(pulls[0]).rejects.toMatchObject({ code: 'backend_timeout' })
  go()
  expect(await pulls[1]).toMatchObject({ insert: { a: {}, b: {} } })
  expect(seen).toHaveLength(1)
})
