import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineModel, t } from '@godwit/model'
import type { Attributes, ObjectMap } from '@godwit/protocol'
import { defineSource } from '@godwit/server'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type InProcess, inProcess, OPEN_STORES, type OpenTestStore, truncateResponse } from '../harness/in-process.js'

const City = defineModel('City', { partition: 'app', sync: 'incremental', attributes: { name: t.string() } })
const Road = defineModel('Road', { partition: 'app', sync: 'incremental', attributes: { name: t.string() } })
const Visit = defineModel('Visit', { sync: 'incremental', attributes: { name: t.string() } })
const models = { City, Road, Visit }

const COUNT = 900

let world: InProcess | undefined
afterEach(() => world?.close())

async function start(open: OpenTestStore): Promise<InProcess> {
  const written = { create: () => undefined, update: () => undefined, delete: () => undefined, idempotent: true }
  world = await inProcess(open, {
    sources: [
      defineSource<Attributes>({ name: 'City', partition: 'app', pollInterval: -1, ...written }),
      defineSource<Attributes>({ name: 'Road', partition: 'app', pollInterval: -1, ...written }),
      defineSource<Attributes>({ name: 'Visit', pollInterval: -1, ...written }),
    ],
  })
  await write(world, 'City', '*')
  return world
}

async function write({ store }: InProcess, source: string, partition: string, count = COUNT): Promise<void> {
  for (let from = 0; from < count; from += 1000) {
    const ids = Array.from({ length: Math.min(1000, count - from) }, (_, at) => from + at)
    const objects: ObjectMap = Object.fromEntries(ids.map(id => [`${source}-${id}`, { name: `${source} ${id}` }]))
    await store.collections.apply({ source, partition }, { merge: objects })
  }
}

/** Opens a device with small pages, which loads sources of 300 rows or more as a file. */
async function open(of: InProcess, name: string) {
  const sdk = await of.device(name, models)
  sdk.pageSize = 100
  sdk.bulkThreshold = 300
  of.requests.length = 0
  return sdk
}

const counted = ({ requests }: InProcess, pattern: RegExp): number => requests.filter(one => pattern.test(one)).length
const PAGES = /^GET \/app\/v1\/City$/
const REQUEST = /POST .*\/bulk_data$/
const FILES = /GET .*\/bulk_data\/./

/** Makes the server build the file, like the first device's sync. */
async function makeFile(of: InProcess): Promise<void> {
  await (await of.device('maker', models)).bulkSync({ sources: ['City'] })
}

describe.each(OPEN_STORES)('over $name', ({ open: store }) => {
  test('the first sync of a large app source loads the rest as a file', async () => {
    const at = await start(store)
    await makeFile(at)
    await at.store.collections.apply({ source: 'City', partition: '*' }, { merge: { new: { name: 'after the file' } } })
    const sdk = await open(at, 'here')
    const seen: number[] = []
    void (async () => {
      for await (const event of sdk.events())
        if (event.kind === 'progress' && event.source === 'City') seen.push(event.cumulative)
    })()
    const summary = await sdk.sync()
    expect(summary.sources).toContainEqual({ source: 'City', received: COUNT + 1, sent: 0 })
    expect([sdk.models.City.count(), sdk.models.City.get('new')?.name]).toEqual([COUNT + 1, 'after the file'])
    // The first page, and the changes since the file was built.
    expect([counted(at, PAGES), counted(at, REQUEST), counted(at, FILES)]).toEqual([2, 1, 1])
    expect(at.requests.filter(one => one.endsWith('/versions'))).toEqual([])
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(readdirSync(join(at.folder, 'here', 'bulk'))).toEqual([])
    await sdk.sync()
    expect([counted(at, PAGES), counted(at, REQUEST)]).toEqual([3, 1])
  })

  test('pages go on while the server makes the file, which the next device loads', async () => {
    const at = await start(store)
    let isBlocked = true
    at.meddle = async (request, go) => {
      const isRequest = REQUEST.test(`${request.method} ${new URL(request.url).pathname}`)
      return isBlocked && isRequest ? Response.json({ status: 'wait', ticket: '1.' }) : go()
    }
    const first = await open(at, 'first')
    await first.sync()
    expect(first.models.City.count()).toBe(COUNT)
    expect([counted(at, PAGES), counted(at, REQUEST), counted(at, FILES)]).toEqual([10, 2, 0])
    isBlocked = false
    const maker = await at.device('maker', models)
    await maker.bulkSync({ sources: ['City'] })
    const second = await open(at, 'second')
    await second.sync()
    expect([counted(at, PAGES), counted(at, FILES)]).toEqual([2, 1])
    const order = { id: 'asc' } as const
    expect(second.models.City.find({ order })).toEqual(first.models.City.find({ order }))
  })
})

const [{ open: memory }] = OPEN_STORES as [(typeof OPEN_STORES)[number]]

test('small sources, those of a user, and a threshold of Infinity load pages alone', async () => {
  const at = await start(memory)
  await makeFile(at)
  await write(at, 'Road', '*', 300)
  await write(at, 'Visit', 'user:ada')
  const sdk = await open(at, 'here')
  sdk.bulkThreshold = Number.POSITIVE_INFINITY
  await sdk.sync()
  expect([sdk.models.City.count(), sdk.models.Road.count(), sdk.models.Visit.count()]).toEqual([COUNT, 300, COUNT])
  expect(counted(at, REQUEST)).toBe(0)
  sdk.bulkThreshold = 300
  await write(at, 'City', '*', 2 * COUNT)
  await sdk.sync()
  expect([sdk.models.City.count(), counted(at, REQUEST)]).toEqual([2 * COUNT, 0])
  for (const rows of [0, -1, Number.NaN])
    expect(() => {
      sdk.bulkThreshold = rows
    }).toThrow(/bulkThreshold: expected a number from 1, or Infinity, got/)
})

test.each([
  ['is refused', async () => new Response('{}', { status: 503 })],
  [
    'is damaged',
    async (answer: Response) => new Response(new Uint8Array((await answer.arrayBuffer()).byteLength), answer),
  ],
  ['breaks off for good', async (answer: Response) => truncateResponse(100, answer)],
])('pages bring the rest if the file %s', async (_, damage) => {
  const at = await start(memory)
  await makeFile(at)
  const sdk = await open(at, 'here')
  const errors: unknown[] = []
  void (async () => {
    for await (const event of sdk.events()) if (event.kind === 'error') errors.push(event)
  })()
  at.meddle = async (request, go) => (FILES.test(`GET ${request.url}`) ? damage(await go()) : go())
  const { sources } = await sdk.sync()
  expect(sources).toContainEqual({ source: 'City', received: COUNT, sent: 0 })
  expect([sdk.models.City.count(), errors]).toEqual([COUNT, []])
  expect(at.requests.filter(one => one.endsWith('/versions'))).toEqual([])
})

test('pages bring the rest if the file is no database, in this sync and in later ones', async () => {
  const at = await start(memory)
  await makeFile(at)
  const sdk = await open(at, 'here')
  const errors: unknown[] = []
  void (async () => {
    for await (const event of sdk.events()) if (event.kind === 'error') errors.push(event.source)
  })()
  const file = gzipSync('no database')
  const sha256 = createHash('sha256').update(file).digest('hex')
  at.meddle = async (request, go) => {
    const answer = await go()
    const requested = `${request.method} ${new URL(request.url).pathname}`
    if (FILES.test(requested)) return new Response(new Uint8Array(file))
    return REQUEST.test(requested) ? Response.json({ ...((await answer.json()) as object), sha256 }) : answer
  }
  const { sources } = await sdk.sync()
  expect(sources).toContainEqual({ source: 'City', received: COUNT, sent: 0 })
  expect([sdk.models.City.count(), errors]).toEqual([COUNT, []])
  await sdk.sync()
  expect(counted(at, REQUEST)).toBe(2)
})

test('an import that was stopped goes on at the next sync, and changes of the app stay', async () => {
  const at = await start(memory)
  await write(at, 'City', '*', 30_000)
  await makeFile(at)
  const sdk = await open(at, 'here')
  const running = sdk.sync('City')
  for await (const event of sdk.events()) if (event.kind === 'progress' && event.received > 200) break
  const { id } = sdk.models.City.create({ name: 'made here' })
  sdk.models.City.update('City-1', { name: 'changed here' })
  await sdk.stopSync()
  await running
  const some = sdk.models.City.count()
  expect(some).toBeLessThan(30_001)
  at.requests.length = 0
  await sdk.sync('City')
  expect(sdk.models.City.count()).toBe(30_001)
  expect([sdk.models.City.get(id)?.name, sdk.models.City.get('City-1')?.name]).toEqual(['made here', 'changed here'])
  expect([counted(at, REQUEST), counted(at, FILES)]).toEqual([1, 0])
  expect(sdk.changes()).toEqual([])
})

test('two large sources at once load a file each', async () => {
  const at = await start(memory)
  await write(at, 'Road', '*')
  await makeFile(at)
  const maker = await at.device('other maker', models)
  await maker.bulkSync({ sources: ['Road'] })
  const sdk = await open(at, 'here')
  await sdk.sync()
  expect([sdk.models.City.count(), sdk.models.Road.count(), counted(at, FILES)]).toEqual([COUNT, COUNT, 2])
  expect(at.requests.filter(one => one.endsWith('/versions'))).toEqual([])
})

test('a file that is made while pages come takes progress no step back', async () => {
  const at = await start(memory)
  await write(at, 'City', '*', 30_000)
  await makeFile(at)
  const sdk = await open(at, 'here')
  Object.assign(sdk, { pageSize: 2000, bulkThreshold: 10_000 })
  let requests = 0
  at.meddle = async (request, go) => {
    const isRequest = REQUEST.test(`${request.method} ${new URL(request.url).pathname}`)
    return isRequest && ++requests === 1 ? Response.json({ status: 'wait', ticket: '1.' }) : go()
  }
  const seen: (readonly [received: number, cumulative: number])[] = []
  void (async () => {
    for await (const event of sdk.events())
      if (event.kind === 'progress' && event.page > 0 && event.source === 'City')
        seen.push([event.received, event.cumulative])
  })()
  const { sources } = await sdk.sync()
  expect([requests, counted(at, FILES), sdk.models.City.count()]).toEqual([2, 1, 30_000])
  expect(sources).toContainEqual({ source: 'City', received: 30_000, sent: 0 })
  for (const column of [0, 1] as const) {
    const values = seen.map(counts => counts[column])
    expect(values).toEqual(values.toSorted((one, other) => one - other))
  }
})
