import type { Attributes, ObjectMap } from '@godwit/protocol'
import { type ChangesPart, cursorGone, defineSource, type SourceDefinition } from '@godwit/source'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ask, catchUp, MinimalDevice } from '../../device/pull/device.fixture.js'
import { type TestEngine, testClient, testEngine } from '../../testing/engine.fixture.js'

const COLLECTION = { source: 'Order', partition: 'user:ada' }

/** A backend with a log of changes, in parts of two rows. */
class Backend {
  readonly rows = new Map<string, Attributes>()
  readonly log: string[] = []
  readonly cursors: (string | null)[] = []
  forgotten = 0
  /** Called before each part after the first. */
  between: (part: number) => unknown = () => {}

  write(id: string, attributes: Attributes | null): void {
    if (attributes === null) this.rows.delete(id)
    else this.rows.set(id, attributes)
    this.log.push(id)
  }

  async *changes({ cursor }: { readonly cursor: string | null }): AsyncGenerator<ChangesPart<Attributes>> {
    this.cursors.push(cursor)
    if (cursor !== null && Number(cursor) < this.forgotten) throw cursorGone(`the log starts at ${this.forgotten}`)
    const before = String(this.log.length)
    if (cursor === null) {
      const all = [...this.rows]
      for (let at = 0; at === 0 || at < all.length; at += 2) {
        if (at > 0) await this.between(at / 2)
        yield { objects: Object.fromEntries(all.slice(at, at + 2)), cursor: before }
      }
      return
    }
    for (let at = Number(cursor); at < this.log.length; at += 2) {
      if (at > Number(cursor)) await this.between((at - Number(cursor)) / 2)
      const ids = [...new Set(this.log.slice(at, at + 2))]
      const objects = Object.fromEntries(ids.flatMap(id => (this.rows.has(id) ? [[id, this.rows.get(id) ?? {}]] : [])))
      yield {
        objects,
        removed: ids.filter(id => !this.rows.has(id)),
        cursor: String(Math.min(at + 2, this.log.length)),
      }
    }
  }

  get = (ids: readonly string[]): ObjectMap =>
    Object.fromEntries(ids.flatMap(id => (this.rows.has(id) ? [[id, this.rows.get(id) ?? {}]] : [])))
}

const engines: TestEngine[] = []
afterEach(() => {
  for (const engine of engines.splice(0)) engine.stop()
})

async function world(more: Partial<SourceDefinition<Attributes>> = {}, backend = new Backend()) {
  const changes = (context: { readonly cursor: string | null }) => backend.changes(context)
  const source = defineSource<Attributes>({ name: 'Order', pollInterval: 0, changes, ...more })
  const engine = await testEngine([source], { limits: { queryLease: 5 } })
  engines.push(engine)
  const client = testClient()
  const pull = () => ask(engine, 'Order', client, undefined, 500)
  const stored = async () => {
    const { rows } = await engine.store.collections.list(COLLECTION, { limit: 1000 })
    return Object.fromEntries(rows.map(({ id, text }) => [id, JSON.parse(text ?? '{}') as unknown]))
  }
  return { backend, engine, client, pull, stored, cursor: () => engine.store.collections.cursor(COLLECTION) }
}

test('the first run reads everything from null, later ones what changed since the stored cursor', async () => {
  const { backend, pull, stored, cursor } = await world()
  for (const id of ['1', '2', '3']) backend.write(id, { id })
  expect(await pull()).toMatchObject({ total_count: 3 })
  expect(await cursor()).toBe('3')
  backend.write('4', { id: '4' })
  backend.write('1', null)
  backend.write('2', { id: 'two' })
  await pull()
  expect(await stored()).toEqual({ 2: { id: 'two' }, 3: { id: '3' }, 4: { id: '4' } })
  await pull()
  expect([backend.cursors, await cursor()]).toEqual([[null, '3', '6'], '6'])
})

test('a device receives each change once, and none that is equal', async () => {
  const { backend, engine, client } = await world()
  const device = new MinimalDevice()
  backend.write('1', { x: 1 })
  await catchUp(engine, device, 'Order', client)
  backend.write('1', { x: 1 })
  backend.write('2', { x: 2 })
  const page = await catchUp(engine, device, 'Order', client)
  expect([page.insert, device.objects()]).toEqual([{ 2: { x: 2 } }, { 1: { x: 1 }, 2: { x: 2 } }])
})

test('parts that arrived stay when a later one fails, and the next run goes on behind them', async () => {
  const { backend, pull, stored, cursor } = await world()
  backend.write('0', {})
  await pull()
  for (const id of ['1', '2', '3', '4']) backend.write(id, { id })
  backend.between = () => {
    throw new Error('the connection is gone')
  }
  expect((await pull()).source_error).toMatchObject({ code: 'backend_failed' })
  expect([Object.keys(await stored()), await cursor()]).toEqual([['0', '1', '2'], '3'])
  backend.between = () => {}
  expect((await pull()).source_error).toBeUndefined()
  expect([Object.keys(await stored()), await cursor()]).toEqual([['0', '1', '2', '3', '4'], '5'])
})

test('half an answer from null changes nothing', async () => {
  const { backend, engine, pull, stored, cursor } = await world()
  await engine.store.collections.apply(COLLECTION, { merge: { old: { x: 1 } } })
  for (const id of ['1', '2', '3']) backend.write(id, { id })
  backend.between = () => {
    throw new Error('the connection is gone')
  }
  expect((await pull()).source_error).toMatchObject({ code: 'backend_failed' })
  expect([await stored(), await cursor()]).toEqual([{ old: { x: 1 } }, null])
})

test('a reading from null that finds nothing where 100,000 objects were removes none of them', async () => {
  const { backend, engine, pull } = await world()
  const all = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [String(index), { index }]))
  backend.changes = async function* ({ cursor }) {
    if (cursor !== null) throw cursorGone('the log was lost')
    yield { objects: isEmpty ? {} : all, cursor: '1' }
  }
  let isEmpty = false
  await pull()
  isEmpty = true
  expect((await pull()).source_error).toMatchObject({ code: 'removals_pending' })
  expect(await engine.store.collections.head(COLLECTION)).toMatchObject({
    count: 100_000,
    pendingRemovals: { count: 100_000 },
  })
})

test('a cursor that is gone starts over and compares', async () => {
  const { backend, engine, client, cursor } = await world()
  const device = new MinimalDevice()
  for (const id of ['1', '2']) backend.write(id, { id })
  await catchUp(engine, device, 'Order', client)
  backend.rows.delete('1')
  backend.rows.set('3', { id: '3' })
  backend.log.push('1', '3', '3')
  backend.forgotten = 5
  const before = device.rows.get('2')
  await catchUp(engine, device, 'Order', client)
  expect([device.objects(), await cursor()]).toEqual([{ 2: { id: '2' }, 3: { id: '3' } }, '5'])
  expect(device.rows.get('2')).toEqual(before)
  expect(backend.cursors).toEqual([null, '2', null])
})

test.each([
  ['with get, and moves the cursor', true],
  ['without get, and leaves the cursor', false],
])('what a device wrote after a part was requested is not undone: %s', async (_, hasGet) => {
  const backend = new Backend()
  const { engine, pull, stored, cursor } = await world(hasGet ? { get: ids => backend.get(ids) } : {}, backend)
  for (const id of ['0', '1']) backend.write(id, { x: 0, y: 0 })
  await pull()
  backend.write('0', { x: 1, y: 0 })
  backend.write('1', { x: 1, y: 0 })
  backend.write('2', { x: 1 })
  backend.between = async () => {
    await engine.store.collections.apply(COLLECTION, { merge: { 2: { x: 9 } } })
    backend.rows.set('2', { x: 9, z: 1 })
  }
  // The third row was read before the device wrote it.
  const changes = backend.changes.bind(backend)
  backend.changes = async function* (context) {
    for await (const part of changes(context)) yield part.objects?.['2'] ? { ...part, objects: { 2: { x: 1 } } } : part
  }
  await pull()
  expect(await stored()).toMatchObject({ 1: { x: 1 }, 2: hasGet ? { x: 9, z: 1 } : { x: 9 } })
  expect(await cursor()).toBe(hasGet ? '5' : '4')
})

test('requests are served by a run that began after them', async () => {
  const { backend, engine, pull } = await world({ pollInterval: -1 })
  await engine.store.collections.open(COLLECTION)
  await engine.store.collections.requestQuery(COLLECTION)
  await pull()
  expect(await engine.store.collections.head(COLLECTION)).toMatchObject({ queriesRequested: 1, queriesServed: 1 })
  await pull()
  await engine.store.collections.requestQuery(COLLECTION)
  await pull()
  expect(backend.cursors).toEqual([null, '0'])
  expect(await engine.store.collections.head(COLLECTION)).toMatchObject({ queriesRequested: 2, queriesServed: 2 })
})

test('once per reconcileInterval a query repairs what changes missed', async () => {
  const backend = new Backend()
  const query = () => Object.fromEntries(backend.rows)
  const { engine, pull, stored } = await world({ pollInterval: 0, reconcileInterval: 60, query }, backend)
  backend.write('1', { x: 1 })
  await pull()
  backend.rows.set('2', { x: 2 })
  await pull()
  expect(Object.keys(await stored())).toEqual(['1'])
  engine.pass(60_000)
  await pull()
  expect(Object.keys(await stored())).toEqual(['1', '2'])
})

test.each([
  [{ objects: [] }, 'expected objects by id'],
  [{ objects: { 1: { x: Number.NaN } }, cursor: '9' }, 'which is no JSON'],
  [{ objects: { 1: {} }, removed: ['1'], cursor: '9' }, 'expected an object once in a part'],
  [{ removed: [''], cursor: '9' }, 'with ids of 1 to 1024 bytes'],
  [{ removed: 'all', cursor: '9' }, 'expected removed to be a list of ids'],
  [{ cursor: '' }, 'expected a cursor of 1 to 65536 bytes'],
  [{ objects: {}, next: '9' }, 'got the member \\"next\\"'],
])('a part like %j is refused whole', async (part, message) => {
  const backend = new Backend()
  const { pull, stored, cursor } = await world({}, backend)
  backend.write('1', { x: 1 })
  await pull()
  backend.changes = async function* () {
    yield part as never
  }
  expect(JSON.stringify((await pull()).source_error)).toContain(message)
  expect([await stored(), await cursor()]).toEqual([{ 1: { x: 1 } }, '1'])
})

const writes = fc.array(
  fc.record({
    who: fc.constantFrom('backend', 'device', 'gap', 'fail', 'run'),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    value: fc.option(fc.integer({ min: 0, max: 3 })),
  }),
  { maxLength: 30 },
)

test('whatever fails meanwhile, the partition is in the end what the backend has', async () => {
  await fc.assert(
    fc.asyncProperty(writes, async steps => {
      const backend = new Backend()
      const { engine, pull, stored } = await world({ get: ids => backend.get(ids) }, backend)
      await pull()
      for (const { who, id, value } of steps) {
        if (who === 'backend') backend.write(id, value === null ? null : { value })
        if (who === 'device') {
          // A device's write reaches the backend first, then the store.
          backend.write(id, { value: `device ${value}` })
          await engine.store.collections.apply(COLLECTION, { replace: { [id]: { value: `device ${value}` } } })
        }
        if (who === 'gap') backend.forgotten = backend.log.length
        if (who === 'fail')
          backend.between = part => {
            backend.between = () => {}
            if (part > 0) throw new Error('the connection is gone')
          }
        if (who === 'run') await pull()
      }
      backend.between = () => {}
      await pull()
      expect(await stored()).toEqual(Object.fromEntries(backend.rows))
      engine.stop()
    }),
    { numRuns: 60 },
  )
})
