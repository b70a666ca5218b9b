import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { loadNodeSqlite } from '../drivers/node-sqlite.js'
import type { SdkEvent } from '../events/sdk-events.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()

/** Parts are as long on every machine: each look at the clock says that 5 ms went by. */
beforeEach(() => {
  let now = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => (now += 5))
})

afterEach(() => {
  jest.restoreAllMocks()
  directories.removeAll()
})

const COUNT = 20_000
const SOURCES = ['City', 'Note']

/** As the server makes it, zipped: two sources, one after the other. The epoch and the ids of its objects begin with a text. */
async function makeFile(begin = ''): Promise<Buffer> {
  const path = join(directories.make(), 'bulk.sqlite')
  const database = new (await loadNodeSqlite()).DatabaseSync(path)
  database.exec(`
    CREATE TABLE source (number INTEGER PRIMARY KEY, name TEXT, epoch TEXT, head INTEGER, count INTEGER, checksum TEXT);
    CREATE TABLE object (row INTEGER PRIMARY KEY, source INTEGER, id TEXT, version INTEGER, attributes TEXT);
    BEGIN`)
  for (const [at, name] of SOURCES.entries()) {
    database.prepare('INSERT INTO source VALUES (?, ?, ?, ?, ?, ?)').run(at + 1, name, `${begin}epoch`, 7, COUNT, '')
    const insert = database.prepare('INSERT INTO object (source, id, version, attributes) VALUES (?, ?, ?, ?)')
    for (let id = 0; id < COUNT; id++) insert.run(at + 1, `${begin}${id}`, 7, JSON.stringify({ text: `${name} ${id}` }))
  }
  database.exec('COMMIT')
  database.close()
  return gzipSync(readFileSync(path))
}

const file = makeFile()
const otherFile = makeFile('other ')

async function open(directory = directories.make(), given = file) {
  const server = new FakeServer()
  const bytes = await given
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const tokens = Object.fromEntries(SOURCES.map(name => [name, `token of ${name}`]))
  let fetched = 0
  server.before = request => {
    if (request.endsWith('/bulk_data'))
      return Response.json({ status: 'ready', url: '/file', sha256, size: bytes.length, tokens })
    if (!request.endsWith('/file')) return undefined
    fetched++
    return new Response(new Uint8Array(bytes))
  }
  const definitions = SOURCES.map(name => definition(name, { syncType: 'bulk_only' }))
  const drive = await driveOn('better-sqlite3', directory)
  const opened = openOn(drive, server, definitions, { files: nodeFiles(directory) })
  const progress: (SdkEvent & { readonly kind: 'progress' })[] = []
  opened.parts.events.listen(event => {
    if (event.kind === 'progress') progress.push(event)
  })
  if (!opened.sdk.isLoggedIn()) await opened.sdk.login('ada', 'ada')
  const counts = () => SOURCES.map(name => opened.device.find(name)?.count(EVERYTHING))
  return { ...opened, directory, progress, counts, fetched: () => fetched }
}

test('a file of bulk data comes in parts: what else the thread has to do comes in between', async () => {
  const { sdk, device, progress, counts } = await open()
  const seen: unknown[] = []
  const watch = setInterval(() => seen.push(device.find('City')?.count(EVERYTHING)), 1)
  expect((await sdk.bulkSync()).sources).toEqual(SOURCES.map(source => ({ source, rows: COUNT })))
  clearInterval(watch)
  expect(seen.filter(count => Number(count) > 0 && Number(count) < COUNT).length).toBeGreaterThan(0)
  expect(progress.map(({ source }) => source)).toContain('Note')
  for (const { source, received, total } of progress) {
    expect(SOURCES).toContain(source)
    expect(received).toBeLessThanOrEqual(COUNT)
    expect(total).toBe(COUNT)
  }
  expect(counts()).toEqual([COUNT, COUNT])
  await sdk.close()
})

test('a change of the app between two parts stays', async () => {
  const { sdk, device, progress, counts, parts } = await open()
  const imported: unknown[] = []
  parts.events.listen(event => {
    if (event.kind === 'source') imported.push(counts(), device.find('City')?.get('0')?.attributes['text'])
  })
  const done = sdk.bulkSync()
  while (progress.length === 0) await new Promise(resolve => setTimeout(resolve))
  device.find('City')?.change('0', { text: 'changed' })
  device.find('City')?.insert({ text: 'new' })
  await done
  expect(imported.slice(0, 2)).toEqual([[COUNT + 1, COUNT], 'changed'])
  await sdk.close()
})

test('an import that was stopped goes on where it was, after a restart too, and fetches nothing again', async () => {
  const first = await open()
  const done = first.sdk.bulkSync()
  while (first.progress.length < 2) await new Promise(resolve => setTimeout(resolve))
  await first.sdk.stopSync()
  await done
  const [before = 0] = first.counts() as number[]
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(COUNT)
  await first.sdk.close()

  const again = await open(first.directory)
  await again.sdk.bulkSync()
  expect(again.fetched()).toBe(0)
  expect(again.counts()).toEqual([COUNT, COUNT])
  const [part] = again.progress
  expect(part?.received).toBeGreaterThan(before)
  expect(part?.cumulative).toBe(Number(part?.received) - before)
  expect((await again.sdk.bulkSync()).sources).toEqual(SOURCES.map(source => ({ source, rows: 0, newer: true })))
  await again.sdk.close()
})

test('what a file does not bring goes in parts, and an import that was stopped meanwhile goes on', async () => {
  const first = await open()
  await first.sdk.bulkSync()
  await first.sdk.close()

  const again = await open(first.directory, otherFile)
  const cities = () => Number(again.counts()[0])
  let [most, isDone] = [0, false]
  const done = again.sdk.bulkSync().finally(() => (isDone = true))
  // All is there twice, and then less.
  while (!isDone && !(most > 1.5 * COUNT && cities() < most)) {
    most = Math.max(most, cities())
    await new Promise(resolve => setTimeout(resolve))
  }
  await again.sdk.stopSync()
  await done
  expect(cities()).toBeGreaterThan(COUNT)
  await again.sdk.close()

  const last = await open(first.directory, otherFile)
  await last.sdk.bulkSync()
  expect(last.fetched()).toBe(0)
  expect(last.counts()).toEqual([COUNT, COUNT])
  expect(last.device.find('City')?.get('other 0')?.attributes['text']).toBe('City 0')
  expect(last.device.find('City')?.get('0')).toBeUndefined()
  expect((await last.sdk.bulkSync()).sources).toEqual(SOURCES.map(source => ({ source, rows: 0, newer: true })))
  await last.sdk.close()
})
