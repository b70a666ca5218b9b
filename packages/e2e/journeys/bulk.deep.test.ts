import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import type { ObjectNotification } from '@godwit/model/node'
import type { Attributes, ObjectMap } from '@godwit/protocol'
import { defineSource } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'
import { verifies } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type InProcess, inProcess, OPEN_STORES, type OpenTestStore, truncateResponse } from '../harness/in-process.js'

const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  storage: 'fixed',
  attributes: { name: t.string(), population: t.integer() },
})
const Visit = defineModel('Visit', {
  sync: 'incremental',
  attributes: { note: t.string().optional(), n: t.integer().optional() },
})
const Tile = defineModel('Tile', { sync: 'bulk_only', attributes: { tile: t.string() } })
const models = { City, Visit, Tile }

const CITIES = { source: 'City', partition: '*' }
const VISITS = { source: 'Visit', partition: 'user:ada' }
const TILES = { source: 'Tile', partition: 'user:ada' }

let world: InProcess | undefined
afterEach(() => world?.close())

/** The time of the store's clock, which only tests advance. */
let now = 0

async function start(open: OpenTestStore): Promise<InProcess> {
  now = 1_700_000_000_000
  const written = { create: () => undefined, update: () => undefined, delete: () => undefined, idempotent: true }
  world = await inProcess(open, {
    clock: () => now,
    sources: [
      defineSource<Attributes>({ name: 'City', partition: 'app', pollInterval: -1 }),
      defineSource<Attributes>({ name: 'Visit', pollInterval: -1, ...written }),
      defineSource<Attributes>({ name: 'Tile', pollInterval: -1, syncType: 'bulk_only', ...written }),
    ],
  })
  return world
}

async function write({ store }: InProcess, collection: { source: string; partition: string }, objects: ObjectMap) {
  const all = Object.entries(objects)
  for (let at = 0; at < all.length; at += 1000)
    await store.collections.apply(collection, { merge: Object.fromEntries(all.slice(at, at + 1000)) })
}

const cities = (count: number): ObjectMap =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, { name: `City ${at}`, population: at }]))

describe.each(OPEN_STORES)('over $name', ({ open }) => {
  test('a bulk file of a partition holds what pulls bring', async () => {
    const world = await start(open)
    await write(world, CITIES, cities(12_000))
    await write(world, VISITS, { v: { note: 'hello', n: 1 }, ['__proto__ ']: { note: 'odd' } })
    const [bulk, pulls] = [await world.device('bulk', models), await world.device('pulls', models)]
    world.requests.length = 0
    const { sources, bytes, sync } = await bulk.bulkSync()
    expect(sources).toEqual([
      { source: 'City', rows: 12_000 },
      { source: 'Visit', rows: 2 },
      { source: 'Tile', rows: 0 },
    ])
    expect(bytes).toBeGreaterThan(10_000)
    expect([sync.received, sync.sources.map(({ source }) => source).sort()]).toEqual([0, ['City', 'Visit']])
    expect(world.requests.filter(one => one.startsWith('GET /app/')).sort()).toEqual([
      'GET /app/v1/City',
      'GET /app/v1/Visit',
    ])
    await pulls.sync()
    const order = { id: 'asc' } as const
    expect(bulk.models.City.find({ order })).toEqual(pulls.models.City.find({ order }))
    expect(bulk.models.Visit.find({ order })).toEqual(pulls.models.Visit.find({ order }))
    expect(readdirSync(join(world.folder, 'bulk', 'bulk'))).toEqual([])
  })

  test('a bulk_only model is filled by its file only', async () => {
    verifies('model.properties.sync-type.bulk-only')

    const world = await start(open)
    await write(world, TILES, { a: { tile: '1' }, b: { tile: '2' } })
    const here = await world.device('here', models)
    await here.sync()
    expect(here.models.Tile.count()).toBe(0)
    await here.bulkSync({ sources: ['Tile'] })
    expect(here.models.Tile.find().map(({ id, tile }) => [id, tile])).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
    await world.store.collections.apply(TILES, { merge: { b: { tile: '3' } }, remove: ['a'] })
    await here.sync()
    expect(here.models.Tile.count()).toBe(2)
    now += 10_000
    await here.bulkSync({ partition: 'user' })
    expect(here.models.Tile.find().map(({ id, tile }) => [id, tile])).toEqual([['b', '3']])
    await world.store.collections.apply(TILES, { remove: ['b'] })
    now += 10_000
    await here.bulkSync({ partition: 'user' })
    expect(here.models.Tile.count()).toBe(0)
  })

  test('undecided changes stay over the imported rows, and are sent', async () => {
    const world = await start(open)
    await write(world, VISITS, { a: { note: 'theirs' }, b: { note: 'theirs' }, c: { note: 'theirs' } })
    const here = await world.device('here', models)
    await here.sync()
    here.models.Visit.update('a', { note: 'mine' })
    here.models.Visit.destroy('b')
    const { id: object } = here.models.Visit.create({ note: 'new' })
    await write(world, VISITS, { a: { n: 7 }, d: { note: 'theirs' } })
    const seen: unknown[] = []
    const stop = here.models.Visit.observe({ order: { id: 'asc' } }, rows =>
      seen.push(rows.map(row => `${row.id} ${row.note}`)),
    )
    await here.bulkSync()
    stop()
    const notes = ['a mine', 'c theirs', 'd theirs', `${object} new`].sort()
    expect(new Set(seen.slice(1).map(rows => (rows as string[]).slice().sort().join()))).toEqual(
      new Set([notes.join()]),
    )
    expect(here.models.Visit.get('a')).toMatchObject({ note: 'mine', n: 7 })
    expect(here.changes()).toEqual([])
    expect(Object.keys(await world.store.collections.get(VISITS, ['a', 'b', object])).sort()).toEqual(
      ['a', object].sort(),
    )
  })

  test('rows that a file added and removed are counted and reported', async () => {
    const world = await start(open)
    await write(world, VISITS, { a: { n: 1 }, b: { n: 2 } })
    await write(world, TILES, { t: { tile: '1' } })
    const here = await world.device('here', models)
    const heard: ObjectNotification[] = []
    here.setObjectNotification(notification => heard.push(notification))
    await here.bulkSync({ partition: 'user' })
    expect([here.getLastSyncObjectCount('Visit'), here.getLastSyncObjectCount()]).toEqual([2, 3])
    const ids = (objects: ObjectNotification['created']) => objects.map(({ object }) => object)
    expect(heard.flatMap(({ created }) => ids(created))).toEqual(['a', 'b', 't'])
    heard.length = 0
    await world.store.collections.apply(VISITS, { merge: { b: { n: 3 } }, remove: ['a'] })
    await world.store.collections.apply(TILES, { remove: ['t'] })
    await here.bulkSync({ sources: ['Visit'] })
    await here.bulkSync({ sources: ['Tile'] })
    expect(heard.map(({ updated, deleted }) => [ids(updated), ids(deleted)])).toEqual([
      [['b'], ['a']],
      [[], ['t']],
    ])
    expect(here.getLastSyncObjectCount('Tile')).toBe(0)
  })

  test('changes of a bulk_only model are pushed, and it is never pulled', async () => {
    const world = await start(open)
    const here = await world.device('here', models)
    const first = here.models.Tile.create({ tile: 'before any file' })
    expect((await here.sync('Tile')).sources).toEqual([{ source: 'Tile', received: 0, sent: 1, skipped: 'bulk_only' }])
    expect([here.changes(), here.models.Tile.find()]).toEqual([[], [first]])
    await here.bulkSync()
    here.models.Tile.update(first.id, { tile: 'after one' })
    expect((await here.bulkSync()).sync).toMatchObject({ sent: 1 })
    await world.store.collections.drop(TILES)
    here.models.Tile.create({ tile: 'in another epoch' })
    await here.sync()
    expect(here.changes()).toEqual([])
    const ids = here.models.Tile.find().map(({ id }) => id)
    expect(Object.values(await world.store.collections.get(TILES, ids))).toEqual([
      expect.objectContaining({ tile: 'in another epoch' }),
    ])
    expect(world.requests).not.toContain('GET /app/v1/Tile')
    await here.login('grace', 'grace')
  })

  test('an import removes what the server removed, and needs no repair', async () => {
    const world = await start(open)
    await write(world, VISITS, { a: { n: 1 }, b: { n: 2 } })
    const here = await world.device('here', models)
    await here.sync()
    await world.store.collections.apply(VISITS, { merge: { b: { n: 3 } }, remove: ['a'] })
    expect((await here.bulkSync({ sources: ['Visit'] })).sources).toEqual([{ source: 'Visit', rows: 1 }])
    expect(here.models.Visit.find().map(({ id, n }) => [id, n])).toEqual([['b', 3]])
    expect(world.requests.filter(one => one.endsWith('/versions'))).toEqual([])
  })

  test('an older file undoes nothing that was decided since it was built', async () => {
    const world = await start(open)
    await write(world, VISITS, { a: { note: 'old' }, b: { note: 'old' } })
    const [first, second] = [await world.device('first', models), await world.device('second', models)]
    await first.bulkSync()
    await second.sync()
    second.models.Visit.update('a', { note: 'decided' })
    second.models.Visit.destroy('b')
    const [pushed] = (await second.sync()).sources.filter(({ source }) => source === 'Visit')
    expect(pushed?.sent).toBe(2)
    const seen: unknown[] = []
    const stop = second.models.Visit.observe({}, rows => seen.push(rows.map(({ id, note }) => [id, note])))
    expect((await second.bulkSync({ sources: ['Visit'] })).sources).toEqual([{ source: 'Visit', rows: 0, newer: true }])
    stop()
    expect(seen).toEqual([[['a', 'decided']]])
  })

  test('a broken download resumes, and a file with another checksum is not imported', async () => {
    const world = await start(open)
    await write(world, CITIES, cities(5000))
    const here = await world.device('here', models)
    let mode: 'break' | 'spoil' | 'pass' = 'break'
    const ranges: (string | null)[] = []
    world.meddle = async (request, go) => {
      if (!/bulk_data\/./.test(new URL(request.url).pathname)) return go()
      ranges.push(request.headers.get('range'))
      if (mode === 'break' && ranges.length > 1) throw new TypeError('the network is gone')
      const answer = await go()
      if (mode === 'pass') return answer
      if (mode === 'break') return truncateResponse(5000, answer)
      return new Response(new Uint8Array((await answer.arrayBuffer()).byteLength), answer)
    }
    await expect(here.bulkSync({ partition: 'app' })).rejects.toMatchObject({ code: 'offline' })
    expect(ranges).toEqual([null, 'bytes=5000-'])
    mode = 'spoil'
    await expect(here.bulkSync({ partition: 'app' })).rejects.toMatchObject({ code: 'internal' })
    expect(here.models.City.count()).toBe(0)
    mode = 'pass'
    writeFileSync(join(world.folder, 'here', 'bulk', 'left-by-a-kill.sqlite'), '')
    await here.bulkSync({ partition: 'app' })
    expect(here.models.City.count()).toBe(5000)
    expect(existsSync(join(world.folder, 'here', 'bulk', 'left-by-a-kill.sqlite'))).toBe(false)
  })
})

test('a hundred thousand objects arrive complete', async () => {
  const world = await start((folder, options) => openSqliteStore(join(folder, 'godwit.sqlite'), options))
  await write(world, CITIES, cities(100_000))
  const here = await world.device('here', { City })
  const { sources, bytes } = await here.bulkSync()
  expect(sources).toEqual([{ source: 'City', rows: 100_000 }])
  expect(bytes).toBeLessThan(100_000 * 40)
  expect([here.models.City.count(), here.models.City.get('c99999')?.population]).toEqual([100_000, 99_999])
  expect(world.requests.filter(one => one.endsWith('/versions'))).toEqual([])
}, 120_000)

type Step =
  | { readonly do: 'write' | 'remove' | 'edit' | 'destroy'; readonly id: string; readonly n: number }
  | { readonly do: 'create'; readonly n: number }
  | { readonly do: 'sync' | 'bulk' | 'wait' | 'drop' | 'reset' }

const ids = fc.constantFrom('a', 'b', 'c')
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constantFrom('write', 'remove', 'edit', 'destroy'), id: ids, n: fc.nat(9) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('create' as const), n: fc.nat(9) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('sync', 'bulk', 'wait') }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('drop', 'reset') }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 12, maxLength: 30 },
)

test('random histories with bulk data end as pulls alone do', async () => {
  const opened = await start(async (_, options) => openMemoryStore(options))
  const { collections } = opened.store
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, async history => {
      run++
      opened.requests.length = 0
      const visits = { source: 'Visit', partition: 'user:ada' }
      await collections.drop(visits)
      const [bulk, pulls] = [
        await opened.device(`bulk ${run}`, { Visit }),
        await opened.device(`pulls ${run}`, { Visit }),
      ]
      const local = bulk.models.Visit
      for (const step of history) {
        if (step.do === 'write')
          await collections.apply(visits, { merge: { [step.id]: { n: step.n, note: 'server' } } })
        else if (step.do === 'remove') await collections.apply(visits, { remove: [step.id] })
        else if (step.do === 'edit') local.update(step.id, { n: step.n + 10 })
        else if (step.do === 'destroy') local.destroy(step.id)
        else if (step.do === 'create') local.create({ n: step.n, note: 'device' })
        else if (step.do === 'sync') await bulk.sync()
        else if (step.do === 'bulk') await bulk.bulkSync()
        else if (step.do === 'wait') now += 4_000_000
        else if (step.do === 'drop') await collections.drop(visits)
        else bulk.databaseFullReset()
      }
      for (let round = 0; round < 3; round++) await bulk.sync()
      await pulls.sync()
      const rows = (sdk: typeof bulk) => sdk.models.Visit.find({ order: { id: 'asc' } })
      expect(rows(bulk)).toEqual(rows(pulls))
      // A repair would hide errors of the import.
      expect(opened.requests.filter(one => one.endsWith('/versions'))).toEqual([])
      expect(bulk.changes()).toEqual([])
      await Promise.all([bulk.close(), pulls.close()])
    }),
    { numRuns: 40 },
  )
}, 120_000)
