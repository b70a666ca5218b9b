import type { Attributes, ObjectMap } from '@godwit/protocol'
import {
  cursorGone,
  defineSource,
  type Feed,
  type FeedBatch,
  type FeedContext,
  type SourceDefinition,
} from '@godwit/source'
import { openMemoryStore, type Store } from '@godwit/store'
import { afterEach, expect, test } from '@jest/globals'
import { ask } from '../../device/pull/device.fixture.js'
import { type TestEngine, testClient, testEngine } from '../../testing/engine.fixture.js'
import { readFeed, storeStep } from './feed-record.js'
import { feedReports, feedWarnings } from './feed-reports.js'
import { startFeeds } from './start-feeds.js'

interface Row {
  readonly user: string
  readonly attributes: Attributes
}

/** A table with a log of changed ids, which a feed reads. */
class Table implements Feed {
  readonly rows = new Map<string, Row>()
  log: { readonly id: string; readonly before: string | undefined }[] = []
  opened: (string | null)[] = []
  queried: string[] = []
  first = 0
  /** Replaces the next batches, once each. */
  readonly faults: ((batch: FeedBatch) => FeedBatch | Promise<FeedBatch>)[] = []
  #wake = (): void => {}

  write(id: string, user: string, attributes: Attributes | null): void {
    const before = this.rows.get(id)?.user
    if (attributes === null) this.rows.delete(id)
    else this.rows.set(id, { user, attributes })
    this.log.push({ id, before })
    this.#wake()
  }

  of(user: string): ObjectMap {
    return Object.fromEntries([...this.rows].flatMap(([id, row]) => (row.user === user ? [[id, row.attributes]] : [])))
  }

  async *open({ cursor, signal }: FeedContext): AsyncGenerator<FeedBatch> {
    this.opened.push(cursor)
    if (cursor !== null && Number(cursor) < this.first) throw cursorGone()
    let at = cursor === null ? this.log.length : Number(cursor)
    if (cursor === null) yield { cursor: String(at), heartbeat: true }
    while (!signal.aborted) {
      const batch = this.#batch(at)
      if (batch === undefined) {
        await new Promise<void>(resolve => {
          this.#wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        continue
      }
      yield await (this.faults.shift()?.(batch) ?? batch)
      at = Number(batch.cursor)
    }
  }

  #batch(at: number): FeedBatch | undefined {
    const some = this.log.slice(at, at + 3)
    if (some.length === 0) return undefined
    const changes = some.flatMap(({ id, before }) => {
      const row = this.rows.get(id)
      const gone = before !== undefined && before !== row?.user ? [{ user: before, id, attributes: null }] : []
      return [...gone, ...(row ? [{ user: row.user, id, attributes: row.attributes }] : [])]
    })
    return { cursor: String(at + some.length), changes, readAt: Date.now() }
  }
}

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** `store`: `manual` for one whose clock the test sets. */
async function process(
  table: Table,
  { store = openMemoryStore(), ...more }: Partial<SourceDefinition<Attributes>> & { store?: Store | 'manual' } = {},
) {
  const source = defineSource<Attributes>({
    name: 'Order',
    feed: table,
    query: ({ user }) => {
      table.queried.push(user)
      return table.of(user)
    },
    ...more,
  })
  const engine = await testEngine([source], { limits: { queryLease: 0.3 }, ...(store !== 'manual' && { store }) })
  const real = { ...engine, clock: Date.now, holder: `process ${Math.random()}` }
  let feeds: ReturnType<typeof startFeeds> | undefined
  ends.push(async () => {
    await feeds?.stop()
    engine.stop()
  })
  return {
    engine,
    pull: (user: string) => ask(engine, 'Order', testClient(`client of ${user}`, user), undefined, 500),
    start: () => {
      feeds = startFeeds(real)
    },
    stop: async () => feeds?.stop(),
  }
}

const stored = async ({ store }: TestEngine, user: string) => {
  const { rows } = await store.collections.list({ source: 'Order', partition: `user:${user}` }, { limit: 1000 })
  return Object.fromEntries(rows.map(({ id, text }) => [id, JSON.parse(text ?? '{}') as unknown]))
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise(resolve => setTimeout(resolve, 5))
}

const applied = (engine: TestEngine, table: Table) =>
  until(async () => (await readFeed(engine.store, 'Order')).cursor === String(table.log.length))

test('changes reach the partitions that exist, and moved objects both of theirs', async () => {
  const table = new Table()
  table.write('1', 'ada', { x: 1 })
  const { engine, pull, start } = await process(table)
  start()
  await applied(engine, table)
  await pull('ada')
  await pull('grace')
  table.write('1', 'grace', { x: 1 })
  table.write('2', 'ada', { x: 2 })
  table.write('3', 'linus', { x: 3 })
  await applied(engine, table)
  expect([await stored(engine, 'ada'), await stored(engine, 'grace')]).toEqual([{ 2: { x: 2 } }, { 1: { x: 1 } }])
  expect(await engine.store.collections.head({ source: 'Order', partition: 'user:linus' })).toBeUndefined()
  await pull('ada')
  expect(table.queried).toEqual(['ada', 'grace'])
})

test('a partition is read once at its first pull, and later only when it is due', async () => {
  const table = new Table()
  table.write('1', 'ada', { x: 1 })
  const { pull, engine } = await process(table, { store: 'manual' })
  expect((await pull('ada')).total_count).toBe(1)
  engine.pass(3_600_000)
  await pull('ada')
  expect(table.queried).toEqual(['ada'])
})

test('a batch whose process ends before its cursor is stored is applied again, to the same effect', async () => {
  const table = new Table()
  const { engine, pull, start } = await process(table)
  start()
  await applied(engine, table)
  await pull('ada')
  const { registry } = engine.store
  const { merge } = registry
  let fails = 1
  Object.assign(registry, {
    merge: (...given: Parameters<typeof merge>) =>
      fails-- > 0 ? Promise.reject(new Error('killed')) : merge.apply(registry, given),
  })
  table.write('1', 'ada', { x: 1 })
  await applied(engine, table)
  const head = await engine.store.collections.head({ source: 'Order', partition: 'user:ada' })
  expect([await stored(engine, 'ada'), head?.version]).toEqual([{ 1: { x: 1 } }, 1])
  expect(table.opened).toEqual([null, '0'])
})

test('a feed that fails is opened again where it was, and its error is kept for operators', async () => {
  const table = new Table()
  const { engine, pull, start } = await process(table)
  start()
  await applied(engine, table)
  await pull('ada')
  table.faults.push(() => {
    throw new Error('the connection is gone')
  })
  table.write('1', 'ada', { x: 1 })
  await until(async () => (await readFeed(engine.store, 'Order')).restarts === 1)
  expect(await readFeed(engine.store, 'Order')).toMatchObject({ error: 'the connection is gone' })
  await applied(engine, table)
  expect(await stored(engine, 'ada')).toEqual({ 1: { x: 1 } })
})

test.each([
  [{ cursor: 1 }, 'expected a cursor'],
  [{ cursor: '9', changes: [{ user: 'ada', id: '', attributes: {} }] }, 'with ids of 1 to 1024 bytes'],
  [{ cursor: '9', changes: [{ id: '1', attributes: {} }] }, 'expected a user or a partition'],
  [
    { cursor: '9', changes: [{ source: 'Other', user: 'ada', id: '1', attributes: {} }] },
    'expected source to be one of',
  ],
  [
    {
      cursor: '9',
      changes: [
        { user: 'ada', id: '1' },
        { user: 'ada', id: '2', attributes: [] },
      ],
    },
    'expected objects by id',
  ],
])('a batch like %j is refused whole', async (batch, message) => {
  const table = new Table()
  const { engine, pull, start } = await process(table)
  start()
  await applied(engine, table)
  await pull('ada')
  table.faults.push(() => batch as never)
  table.write('1', 'ada', { x: 1 })
  await until(async () => (await readFeed(engine.store, 'Order')).restarts === 1)
  expect((await readFeed(engine.store, 'Order')).error).toContain(message)
  await applied(engine, table)
  expect(await stored(engine, 'ada')).toEqual({ 1: { x: 1 } })
})

test('a cursor that is gone makes every partition due before the new one is stored', async () => {
  const table = new Table()
  table.write('1', 'ada', { x: 1 })
  const { engine, pull, start, stop } = await process(table)
  start()
  await applied(engine, table)
  await pull('ada')
  await stop()
  table.rows.set('2', { user: 'ada', attributes: { x: 2 } })
  table.rows.delete('1')
  table.first = 100
  table.log = Array.from({ length: 200 }, () => ({ id: 'unknown', before: undefined }))
  start()
  await applied(engine, table)
  const page = await pull('ada')
  expect([page.insert, table.queried, table.opened]).toEqual([{ 2: { x: 2 } }, ['ada', 'ada'], [null, '1', null]])
})

test('what a device wrote after the rows were read is read again by get, or with the whole partition', async () => {
  for (const hasGet of [true, false]) {
    const table = new Table()
    const get = (ids: readonly string[]) =>
      Object.fromEntries(Object.entries(table.of('ada')).filter(([id]) => ids.includes(id)))
    const store = openMemoryStore()
    const { engine, pull, start } = await process(table, { store, ...(hasGet && { get }) })
    start()
    await applied(engine, table)
    await pull('ada')
    const collection = { source: 'Order', partition: 'user:ada' }
    table.faults.push(async batch => {
      await new Promise(resolve => setTimeout(resolve, 20))
      await store.collections.apply(collection, { replace: { 1: { x: 'device' } } })
      table.rows.set('1', { user: 'ada', attributes: { x: 'device', y: 1 } })
      return batch
    })
    table.write('1', 'ada', { x: 'old' })
    await applied(engine, table)
    expect(await stored(engine, 'ada')).toEqual({ 1: hasGet ? { x: 'device', y: 1 } : { x: 'device' } })
    await pull('ada')
    expect(await stored(engine, 'ada')).toEqual({ 1: { x: 'device', y: 1 } })
    expect(table.queried.length).toBe(hasGet ? 1 : 2)
  }
})

test('a suspended process neither writes older rows over newer ones nor moves the cursor', async () => {
  const table = new Table()
  const store = openMemoryStore()
  const first = await process(table, { store })
  const second = await process(table, { store })
  first.start()
  await applied(first.engine, table)
  await first.pull('ada')
  let resume = (): void => {}
  const resumed = new Promise<void>(resolve => {
    resume = resolve
  })
  table.faults.push(async batch => {
    // The lease of the first process ends while it has this batch.
    await resumed
    return batch
  })
  table.write('1', 'ada', { x: 'old' })
  second.start()
  await until(
    async () =>
      (await store.leases.acquire({ kind: 'server', name: 'none' }, { holder: '', milliseconds: 1 })) !== undefined,
  )
  const { fence } = await readFeed(store, 'Order')
  await store.collections.advance(
    { source: 'Order', partition: 'user:ada' },
    { replace: { 1: { x: 'new' } } },
    {
      epoch: (await store.collections.head({ source: 'Order', partition: 'user:ada' }))?.epoch ?? '',
      reader: 'feed:Order',
      fence: fence + 1_000_000,
      since: (await store.collections.head({ source: 'Order', partition: 'user:ada' }))?.version ?? 0,
    },
  )
  expect(await storeStep(store, 'Order', { fence: fence - 1, cursor: '99', status: {}, proofs: [] })).toBe(false)
  resume()
  await until(() => table.opened.length > 1 || table.faults.length === 0)
  expect([await stored(first.engine, 'ada'), (await readFeed(store, 'Order')).cursor]).toEqual([
    { 1: { x: 'new' } },
    '0',
  ])
})

test('proofs of readings reach the feed, and stay until a cursor replaces them', async () => {
  const table = new Table()
  const seen: (readonly string[])[] = []
  const open = table.open.bind(table)
  table.open = async function* (context) {
    for await (const batch of open(context)) {
      const proofs = await context.proofs()
      seen.push(proofs)
      yield { ...batch, proofs }
    }
  }
  const { engine, pull, start } = await process(table, {
    query: async ({ recordProof }) => {
      await recordProof('mark 7')
      return {}
    },
  })
  start()
  await applied(engine, table)
  await pull('ada')
  expect([...(await readFeed(engine.store, 'Order')).proofs.values()]).toEqual(['mark 7'])
  table.write('1', 'ada', { x: 1 })
  await applied(engine, table)
  await until(async () => (await readFeed(engine.store, 'Order')).proofs.size === 0)
  expect(seen).toEqual([[], ['mark 7']])
})

test('a feed without heartbeats is named, until one comes through', async () => {
  const table = new Table()
  const { engine, start } = await process(table, { store: 'manual' })
  expect(await feedReports(engine)).toMatchObject([
    { name: 'Order', sources: ['Order'], stale_since: null, cursor: null },
  ])
  start()
  await applied(engine, table)
  const [{ heartbeat_at = null } = {}] = await feedReports(engine)
  expect(await feedWarnings(engine)).toEqual([])
  engine.pass(31_000)
  expect(await feedReports(engine)).toMatchObject([{ stale_since: heartbeat_at }])
  expect(await feedWarnings(engine)).toEqual([
    expect.stringContaining(`The feed Order is silent since ${heartbeat_at}`),
  ])
  table.faults.push(batch => ({ ...batch, heartbeat: true, committedAt: Date.now() - 1000, waiting: { rows: 7 } }))
  table.write('1', 'ada', {})
  await applied(engine, table)
  expect(await feedReports(engine)).toMatchObject([{ stale_since: null, waiting_rows: 7, restarts: 0, error: null }])
  expect(
    (await engine.metrics.feedLag.get()).values.find(({ metricName }) => metricName?.endsWith('count'))?.value,
  ).toBe(1)
})

test('devices are told since when the feed of a source is silent, until a heartbeat comes through', async () => {
  const table = new Table()
  const { engine, pull, start } = await process(table, { store: 'manual' })
  start()
  await applied(engine, table)
  const staleSince = async () => {
    const changed = await engine.staleSources.refresh(engine)
    return [changed, (await pull('ada')).stale_since]
  }
  expect(await staleSince()).toEqual([[], undefined])
  const [{ heartbeat_at = null } = {}] = await feedReports(engine)
  engine.pass(31_000)
  expect(await staleSince()).toEqual([['Order'], heartbeat_at])
  expect(await staleSince()).toEqual([[], heartbeat_at])
  table.faults.push(batch => ({ ...batch, heartbeat: true }))
  table.write('1', 'ada', {})
  await applied(engine, table)
  expect(await staleSince()).toEqual([['Order'], undefined])
})

test('a partition that a replica shows late is queried again once its writes show', async () => {
  const table = new Table()
  table.write('1', 'ada', { x: 1 })
  let isBehind = true
  const query = () => (isBehind ? {} : table.of('ada'))
  const { engine, pull } = await process(table, { store: 'manual', settle: 5, query })
  expect((await pull('ada')).total_count).toBe(0)
  isBehind = false
  expect((await pull('ada')).total_count).toBe(0)
  engine.pass(5000)
  expect((await pull('ada')).total_count).toBe(1)
})

test('a batch from a replica that lags does not undo what a device just wrote', async () => {
  const table = new Table()
  const store = openMemoryStore()
  const { engine, pull, start } = await process(table, { store, settle: 2 })
  start()
  await applied(engine, table)
  await pull('ada')
  const written = { x: 'device' }
  await store.collections.apply({ source: 'Order', partition: 'user:ada' }, { replace: { 1: written } })
  table.faults.push(batch => ({ ...batch, changes: [{ user: 'ada', id: '1', attributes: { x: 'before' } }] }))
  table.write('1', 'ada', written)
  await applied(engine, table)
  expect(await stored(engine, 'ada')).toEqual({ 1: written })
})

test('batches that come twice, and in another order than their rows were written, end in what the backend has', async () => {
  const table = new Table()
  const { engine, pull, start } = await process(table)
  start()
  await applied(engine, table)
  await pull('ada')
  const twice = (batch: FeedBatch): FeedBatch => ({
    ...batch,
    changes: [...(batch.changes ?? []).toReversed(), ...(batch.changes ?? [])],
  })
  table.faults.push(twice, batch => ({ ...twice(batch), cursor: '0' }), twice)
  for (const x of [1, 2, 3]) for (const id of ['1', '2', '3', '4']) table.write(id, 'ada', { x })
  table.write('4', 'ada', null)
  await applied(engine, table)
  expect(await stored(engine, 'ada')).toEqual({ 1: { x: 3 }, 2: { x: 3 }, 3: { x: 3 } })
})
