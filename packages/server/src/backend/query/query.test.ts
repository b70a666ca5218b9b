import { defineSource, failure, type QueryContext, type SourceDefinition } from '@godwit/source'
import { describe, expect, jest, test } from '@jest/globals'
import { ask } from '../../device/pull/device.fixture.js'
import { testClient, testEngine } from '../../testing/engine.fixture.js'

const COLLECTION = { source: 'Thing', partition: 'user:ada' }

type Definition = Partial<SourceDefinition<object>>

async function world(definition: Definition) {
  const engine = await testEngine([defineSource<object>({ name: 'Thing', queryTimeout: 0.05, ...definition })])
  const pull = (token?: string) => ask(engine, 'Thing', testClient(), token, 500)
  return { engine, pull }
}

describe('when a query runs', () => {
  test('again where the collection of a running pass was recreated', async () => {
    const { engine } = await world({ query: () => ({ a: {}, b: {}, c: {} }), pollInterval: 300 })
    const first = await ask(engine, 'Thing', testClient(), undefined, 2)
    expect(first.more).toBe(true)
    await engine.store.collections.drop(COLLECTION)
    const again = await ask(engine, 'Thing', testClient(), first.token, 5)
    expect(again).toMatchObject({ ends: true, insert: { a: {}, b: {}, c: {} } })
  })

  test('before the first page, and again when its interval is over', async () => {
    const query = jest.fn(() => ({ a: { n: query.mock.calls.length } }))
    const { engine, pull } = await world({ query, pollInterval: 300 })
    const first = await pull()
    expect(first.insert).toEqual({ a: { n: 1 } })
    engine.pass(299_000)
    expect((await pull(first.token)).insert).toBeUndefined()
    engine.pass(1_000)
    expect((await pull(first.token)).insert).toEqual({ a: { n: 2 } })
  })

  test('an interval after the end of the last one', async () => {
    const query = jest.fn(() => {
      engine.pass(5_000)
      return {}
    })
    const { engine, pull } = await world({ query, pollInterval: 300 })
    await pull()
    const head = await engine.store.collections.head(COLLECTION)
    expect((head?.nextQuery ?? 0) - (head?.readAt ?? 0)).toBe(300_000)
    engine.pass(299_000)
    await pull()
    expect(query).toHaveBeenCalledTimes(1)
    engine.pass(1_000)
    await pull()
    expect(query).toHaveBeenCalledTimes(2)
  })

  test('at every pull with interval 0, but once a pass', async () => {
    const query = jest.fn(() => ({ a: {}, b: {}, c: {} }))
    const { engine } = await world({ query, pollInterval: 0 })
    const first = await ask(engine, 'Thing', testClient(), undefined, 2)
    await ask(engine, 'Thing', testClient(), first.token, 2)
    expect(query).toHaveBeenCalledTimes(1)
    await ask(engine, 'Thing', testClient(), undefined, 2)
    expect(query).toHaveBeenCalledTimes(2)
  })

  test('with interval -1 only on request, and then once', async () => {
    const query = jest.fn(() => ({ a: {} }))
    const { engine, pull } = await world({ query, pollInterval: -1 })
    await pull()
    expect(query).not.toHaveBeenCalled()
    await engine.store.collections.requestQuery(COLLECTION)
    expect((await pull()).insert).toEqual({ a: {} })
    await pull()
    expect(query).toHaveBeenCalledTimes(1)
  })

  test('although the clock was set back by a day', async () => {
    const query = jest.fn(() => ({ a: {} }))
    const { engine, pull } = await world({ query, pollInterval: 300 })
    await pull()
    engine.pass(-86_400_000)
    await pull()
    expect(query).toHaveBeenCalledTimes(2)
    engine.pass(299_000)
    await pull()
    expect(query).toHaveBeenCalledTimes(2)
  })

  test('once for all concurrent pulls', async () => {
    const query = jest.fn(async () => ({ a: {} }))
    const { pull } = await world({ query, pollInterval: 0 })
    const pages = await Promise.all([pull(), pull(), pull()])
    expect(pages.map(page => page.insert)).toEqual([{ a: {} }, { a: {} }, { a: {} }])
    expect(query).toHaveBeenCalledTimes(1)
  })

  test('once for concurrent pulls on all processes', async () => {
    let running = 0
    const most: number[] = []
    const query = jest.fn(async () => {
      most.push(++running)
      await new Promise(resolve => setTimeout(resolve, 20))
      running--
      return { a: {} }
    })
    const { engine, pull } = await world({ query, pollInterval: 300, queryTimeout: 5 })
    const other = { ...engine, holder: 'another process' }
    const pages = await Promise.all([pull(), ask(other, 'Thing', testClient('client-2'), undefined, 500)])
    expect(pages.map(page => page.insert)).toEqual([{ a: {} }, { a: {} }])
    expect([query.mock.calls.length, Math.max(...most)]).toEqual([1, 1])
  })

  test('on another process once the process that ran it died', async () => {
    const query = jest.fn(() => ({ a: {} }))
    const { engine, pull } = await world({ query, pollInterval: 300 })
    await engine.store.collections.open(COLLECTION)
    const name = { kind: 'query', collection: COLLECTION } as const
    await engine.store.leases.acquire(name, { holder: 'a process that is killed', milliseconds: 10_000 })
    const first = pull()
    await new Promise(resolve => setTimeout(resolve, 60))
    expect(query).not.toHaveBeenCalled()
    engine.pass(10_001)
    expect((await first).insert).toEqual({ a: {} })
    expect(query).toHaveBeenCalledTimes(1)
  })
})

describe('the result of a query', () => {
  test('replaces the partition: omitted objects are removed', async () => {
    const answers = [
      { a: {}, b: {} },
      { b: {}, c: {} },
    ]
    const { pull } = await world({ query: () => answers.shift() ?? {}, pollInterval: 0 })
    const first = await pull()
    expect(await pull(first.token)).toMatchObject({ insert: { c: {} }, delete: ['a'] })
  })

  test('may come in parts, stashed or yielded', async () => {
    async function* query({ stash }: QueryContext) {
      stash({ a: {} })
      yield { b: {} }
      stash({ c: {} })
      yield { d: {} }
    }
    const { pull } = await world({ query, pollInterval: 0 })
    expect((await pull()).insert).toEqual({ a: {}, b: {}, c: {}, d: {} })
  })

  test('may be stashed only', async () => {
    const query = async ({ stash }: QueryContext): Promise<undefined> => stash({ a: {} }) as undefined
    const { pull } = await world({ query, pollInterval: 0 })
    expect((await pull()).insert).toEqual({ a: {} })
  })

  test('never undoes a push within the settle time before it began', async () => {
    const query = () => ({ a: { note: 'old' } })
    const { engine, pull } = await world({ query, pollInterval: -1, settle: 60 })
    await engine.store.collections.apply(COLLECTION, { replace: { a: { note: 'first' } } })
    engine.pass(3600_000)
    await engine.store.collections.apply(COLLECTION, { replace: { a: { note: 'pushed' } } })
    engine.pass(59_000)
    await engine.store.collections.requestQuery(COLLECTION)
    expect((await pull()).insert).toEqual({ a: { note: 'pushed' } })
    engine.pass(2000)
    await engine.store.collections.requestQuery(COLLECTION)
    expect((await pull()).insert).toEqual({ a: { note: 'old' } })
  })

  test('is requested until one begins a settle time after the request', async () => {
    let queries = 0
    const query = () => ({ a: { queries: ++queries } })
    const { engine, pull } = await world({ query, pollInterval: -1, settle: 60 })
    const begun = async (milliseconds: number) => {
      engine.pass(milliseconds)
      await pull()
      return queries
    }
    await begun(0)
    engine.pass(3600_000)
    await engine.store.collections.requestQuery(COLLECTION)
    expect([await begun(0), await begun(59_000), await begun(2_000), await begun(2_000)]).toEqual([1, 2, 3, 3])
  })

  test('never undoes a change that was pushed while it ran', async () => {
    let release = (): void => {}
    const waiting = new Promise<void>(resolve => {
      release = resolve
    })
    const query = async () => {
      await waiting
      return { a: { note: 'old' }, b: {} }
    }
    const { engine, pull } = await world({ query, pollInterval: -1, queryTimeout: 5 })
    await engine.store.collections.apply(COLLECTION, { replace: { a: { note: 'first' } } })
    await engine.store.collections.requestQuery(COLLECTION)
    const page = pull()
    await new Promise(resolve => setTimeout(resolve, 20))
    await engine.store.collections.apply(COLLECTION, { replace: { a: { note: 'pushed' }, c: {} } })
    release()
    expect((await page).insert).toEqual({ a: { note: 'pushed' }, b: {}, c: {} })
    const head = await engine.store.collections.head(COLLECTION)
    expect(head?.queriesRequested).toBeGreaterThan(head?.queriesServed ?? 0)
  })
})

describe('a query that fails', () => {
  test.each<[string, Definition, RegExp]>([
    ['throws', { query: () => Promise.reject(failure('The backend is away.')) }, /The backend is away/],
    ['never answers', { query: () => new Promise<never>(() => {}) }, /did not answer within 0.05 s/],
    ['gives a list', { query: () => [] as never }, /got a list/],
    ['gives nothing', { query: () => undefined }, /got undefined/],
    ['gives an object that is none', { query: () => ({ a: 'text' }) as never }, /got string under the id "a"/],
    ['gives an empty id', { query: () => ({ '': {} }) }, /got an id of 0 bytes/],
    [
      'breaks off',
      {
        query: async function* () {
          yield { c: {} }
          throw failure('Half way.')
        },
      },
      /Half way/,
    ],
  ])('because it %s changes nothing and reports the reason to devices', async (_, definition, message) => {
    const { engine, pull } = await world({ ...definition, pollInterval: 0 })
    await engine.store.collections.apply(COLLECTION, { replace: { a: { kept: true } } })
    const page = await pull()
    expect(page.insert).toEqual({ a: { kept: true } })
    expect(page.source_error?.message).toMatch(message)
  })

  test('is retried retryLimit times, and its message is cleared by the next success', async () => {
    let failures = 2
    const query = jest.fn(() => (failures-- > 0 ? Promise.reject(failure('Away.')) : { a: {} }))
    const { pull } = await world({ query, pollInterval: 0, retryLimit: 1, queryTimeout: 1 })
    expect((await pull()).source_error?.message).toBe('Away.')
    expect(query).toHaveBeenCalledTimes(2)
    const page = await pull()
    expect(page).not.toHaveProperty('source_error')
    expect(page.insert).toEqual({ a: {} })
  })

  test('keeps no pull waiting for weeks, however many retries are allowed', async () => {
    const query = jest.fn(() => Promise.reject(failure('Away.')))
    const { pull } = await world({ query, pollInterval: 0, retryLimit: 1000, queryTimeout: 0.5 })
    expect((await pull()).source_error?.message).toBe('Away.')
    expect(query).toHaveBeenCalledTimes(2)
  })

  test('is not retried by a server that stops', async () => {
    const query = jest.fn(() => Promise.reject(failure('Away.')))
    const { engine, pull } = await world({ query, pollInterval: 0, retryLimit: 1000, queryTimeout: 600 })
    const page = pull()
    await new Promise(resolve => setTimeout(resolve, 20))
    engine.stop()
    expect((await page).source_error?.message).toBe('Away.')
    expect(query.mock.calls.length).toBeLessThanOrEqual(2)
  })

  test('is retried with growing waits, and then at its next interval', async () => {
    const pauses: number[] = []
    const real = globalThis.setTimeout
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay = 0) => {
      if (delay >= 250 && delay < 60_000) pauses.push(delay)
      return real(run, delay < 60_000 ? 0 : delay)
    }) as typeof setTimeout)
    const query = jest.fn(() => (query.mock.calls.length === 1 ? {} : Promise.reject(failure('Away.'))))
    const { engine, pull } = await world({ query, pollInterval: 300, retryLimit: 3, queryTimeout: 60 })
    await pull()
    engine.pass(300_000)
    await pull()
    spy.mockRestore()
    expect(query).toHaveBeenCalledTimes(5)
    expect(pauses).toEqual([...new Set(pauses)].sort((one, other) => one - other))
    expect(pauses).toHaveLength(3)
    engine.pass(299_000)
    await pull()
    expect(query).toHaveBeenCalledTimes(5)
    engine.pass(1000)
    query.mockImplementation((() => ({ a: {} })) as never)
    expect((await pull()).insert).toEqual({ a: {} })
  })

  test.each<[string, unknown]>([
    ['a Map', new Map([['a', { n: 2 }]])],
    ['a promise of an object', { a: Promise.resolve({ n: 2 }) }],
    ['a date for an object', { a: new Date(0) }],
    ['a generator that is not async', [{ a: {} }].values()],
    ['a Response', new Response('{}')],
  ])('that returns %s changes nothing', async (_, answer) => {
    const answers = [{ a: { n: 1 } }, answer as never]
    const { engine, pull } = await world({ query: () => answers.shift() ?? {}, pollInterval: 0 })
    await pull()
    expect((await pull()).source_error?.message).toMatch(/expected objects by id/)
    expect(await engine.store.collections.get(COLLECTION, ['a'])).toMatchObject({ a: { n: 1 } })
  })

  test('that returns rows is told how to make a map of them', async () => {
    const { pull } = await world({ query: () => [{ id: 'a', n: 1 }] as never, pollInterval: 0 })
    expect((await pull()).source_error?.message).toMatch(
      /got a list\. Return Object\.fromEntries\(rows\.map\(\(\{ id, \.\.\.row }\) => \[id, row]\)\)\.$/,
    )
  })

  test('closes the iterator of the source after a time-out or an invalid object', async () => {
    let open = 0
    const parts = [
      () => ({ a: { n: 1n as never } }),
      () => new Promise<object>(resolve => setTimeout(() => resolve({}), 100)),
    ]
    for (const part of parts) {
      const { pull } = await world({
        async *query() {
          open++
          try {
            for (let at = 0; ; at++) yield (at === 0 ? {} : await part()) as never
          } finally {
            open--
          }
        },
      })
      expect((await pull()).source_error).toBeDefined()
    }
    await new Promise(resolve => setTimeout(resolve, 150))
    expect(open).toBe(0)
  })
})
