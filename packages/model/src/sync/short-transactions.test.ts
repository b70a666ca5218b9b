import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, jest, test } from '@jest/globals'
import { betterSqlite3Drive, loadBetterSqlite3 } from '../drivers/better-sqlite3.js'
import { nodeFiles } from '../drivers/node-files.js'
import { loadNodeSqlite } from '../drivers/node-sqlite.js'
import type { Drive, Driver } from '../platform/driver.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => {
  jest.restoreAllMocks()
  directories.removeAll()
})

const COUNT = 10_000
/** Rows that one turn may look at or write, where each look at the clock says that 10 ms went by. */
const MOST = 4000
const SOURCES = ['City', 'Note', 'Visit']

/** Counts rows by the turns of the thread in which they come. */
function turns() {
  const counted: number[] = []
  let current = 0
  return {
    count(rows: number): void {
      if (current === 0)
        setTimeout(() => {
          counted.push(current)
          current = 0
        })
      current += rows
    },
    forget(): void {
      counted.length = 0
    },
    all: () => counted.reduce((sum, rows) => sum + rows, 0),
    longest: () => Math.max(...counted),
  }
}
type Turns = ReturnType<typeof turns>

/** Counts the rows of tables that are changed or removed one by one. */
function counting(drive: Drive, written: Turns): Drive {
  const wrap = (driver: Driver): Driver => ({
    ...driver,
    prepare(sql) {
      const statement = driver.prepare(sql)
      if (!/^(UPDATE|DELETE FROM) "user"\."bag_/.test(sql)) return statement
      return {
        ...statement,
        run(...values) {
          written.count(1)
          return statement.run(...values)
        },
      }
    },
  })
  return { ...drive, open: file => wrap(drive.open(file)) }
}

/** A file of bulk data as the server makes it, where each look at a row is counted. */
async function makeFile(head: number): Promise<Buffer<ArrayBuffer>> {
  const path = join(directories.make(), 'bulk.sqlite')
  const database = new (await loadNodeSqlite()).DatabaseSync(path)
  database.exec(`
    CREATE TABLE source (number INTEGER PRIMARY KEY, name TEXT, epoch TEXT, head INTEGER, count INTEGER, checksum TEXT);
    CREATE TABLE kept (row INTEGER PRIMARY KEY, source INTEGER, id TEXT, version INTEGER, attributes TEXT);
    CREATE VIEW object AS SELECT row, looked(source) AS source, id, version, attributes FROM kept;
    BEGIN`)
  for (const [at, name] of SOURCES.entries()) {
    database.prepare('INSERT INTO source VALUES (?, ?, ?, ?, ?, ?)').run(at + 1, name, 'epoch', head, COUNT, '')
    const insert = database.prepare('INSERT INTO kept (source, id, version, attributes) VALUES (?, ?, ?, ?)')
    for (let id = 0; id < COUNT; id++) insert.run(at + 1, `${id}`, head, JSON.stringify({ text: `${name} ${id}` }))
  }
  database.exec('COMMIT')
  database.close()
  return gzipSync(readFileSync(path))
}

async function open(names: readonly string[] = SOURCES) {
  const library = await loadBetterSqlite3()
  if (library === undefined) throw new Error('expected better-sqlite3, as the workspace installs it')
  const [looked, written] = [turns(), turns()]
  class Counting extends library {
    constructor(path: string, options: object) {
      super(path, options)
      this.pragma('trusted_schema = ON')
      this.function('looked', (source: unknown) => {
        looked.count(1)
        return source
      })
    }
  }
  const directory = directories.make()
  const server = new FakeServer()
  let bytes = Buffer.alloc(0)
  server.before = request => {
    if (request.endsWith('/file')) return new Response(new Uint8Array(bytes))
    if (!request.endsWith('/bulk_data')) return undefined
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const tokens = Object.fromEntries(names.map(name => [name, sha256]))
    return Response.json({ status: 'ready', url: '/file', sha256, size: bytes.length, tokens })
  }
  const drive = counting(betterSqlite3Drive(Counting as unknown as typeof library, directory), written)
  const definitions = names.map(name => definition(name, { syncType: 'bulk_only' }))
  const opened = openOn(drive, server, definitions, { files: nodeFiles(directory) })
  await opened.sdk.login('ada', 'ada')
  let now = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => (now += 10))
  const counts = () => names.map(name => opened.device.find(name)?.count(EVERYTHING))
  const bulk = async (head: number) => {
    bytes = await makeFile(head)
    await opened.sdk.bulkSync()
  }
  return { ...opened, server, looked, written, counts, bulk }
}

test('no turn looks through the rows of another source of bulk data', async () => {
  const { sdk, bulk, counts, looked } = await open()
  await bulk(7)
  expect(counts()).toEqual([COUNT, COUNT, COUNT])
  expect(looked.all()).toBeGreaterThanOrEqual(3 * COUNT)
  expect(looked.longest()).toBeLessThan(MOST)
  await sdk.close()
})

test('no turn goes through a source that the device does not want of the file', async () => {
  const { sdk, bulk, counts, looked } = await open(['City', 'Visit'])
  await bulk(7)
  expect(counts()).toEqual([COUNT, COUNT])
  expect(looked.longest()).toBeLessThan(MOST)
  await sdk.close()
})

test('what is newer than bulk data is looked for in parts, and stays', async () => {
  const { sdk, parts, bulk, counts, device, written } = await open(['City'])
  await bulk(7)
  parts.database.exec(`UPDATE "user"."bag_City" SET version = 100, rest = '{"text":"newer"}'`)
  await bulk(8)
  expect(counts()).toEqual([COUNT])
  expect(device.find('City')?.get('5')?.attributes).toEqual({ text: 'newer' })
  expect(written.longest()).toBeLessThan(MOST)
  await sdk.close()
})

test('what a pass did not bring goes in parts, and the app is served in between', async () => {
  const { sdk, parts, server, device, written } = await open([])
  device.define(definition('City'))
  const objects = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, { text: `${at}` }]))
  server.write('City', objects(COUNT))
  sdk.pageSize = 1000
  await sdk.sync()
  const before = device.find('City')?.count(EVERYTHING)
  const rows = server.collection('City').rows
  for (let at = 10; at < COUNT; at++) rows.delete(`${at}`)
  server.nonce = 'after a reset'
  await new Promise(resolve => setTimeout(resolve))
  written.forget()
  const reported: unknown[] = []
  parts.events.listen(event => reported.push(event.kind))
  const seen = new Set<number>()
  const watch = setInterval(() => seen.add(Number(device.find('City')?.count(EVERYTHING))), 0)
  await sdk.sync()
  clearInterval(watch)
  expect([before, device.find('City')?.count(EVERYTHING)]).toEqual([COUNT, 10])
  expect([...seen].filter(count => count > 10 && count < COUNT).length).toBeGreaterThan(0)
  expect(written.longest()).toBeLessThan(MOST)
  expect(reported.filter(kind => kind === 'resync')).toHaveLength(1)
  await sdk.close()
})

test('a run that is stopped while rows go ends with the same page the next time', async () => {
  const { sdk, server, device } = await open([])
  device.define(definition('City'))
  server.write('City', Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`${at}`, { text: `${at}` }])))
  await sdk.sync()
  const rows = server.collection('City').rows
  for (let at = 10; at < COUNT; at++) rows.delete(`${at}`)
  server.nonce = 'after a reset'
  const count = () => Number(device.find('City')?.count(EVERYTHING))
  const done = sdk.sync()
  while (count() === COUNT) await new Promise(resolve => setTimeout(resolve))
  await sdk.stopSync()
  await done
  expect(count()).toBeGreaterThan(10)
  await sdk.sync()
  expect(count()).toBe(10)
  expect(device.find('City')?.get('9')?.attributes).toEqual({ text: '9' })
  expect(device.find('City')?.get('10')).toBeUndefined()
  await sdk.close()
})
