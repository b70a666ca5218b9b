import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from '@jest/globals'
import type { OpenModel } from '../database/open-models.js'
import { nodeFiles } from '../drivers/node-files.js'
import { loadNodeSqlite } from '../drivers/node-sqlite.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

/** Returns a file of what a server has, as the server makes it, zipped. */
async function fileOf(server: FakeServer, source: string): Promise<Buffer> {
  const path = join(directories.make(), 'bulk.sqlite')
  const database = new (await loadNodeSqlite()).DatabaseSync(path)
  database.exec(`
    CREATE TABLE source (number INTEGER PRIMARY KEY, name TEXT, epoch TEXT, head INTEGER, count INTEGER, checksum TEXT);
    CREATE TABLE object (row INTEGER PRIMARY KEY, source INTEGER, id TEXT, version INTEGER, attributes TEXT);`)
  const { epoch, head, rows } = server.collection(source)
  const live = [...rows].filter(([, { attributes }]) => attributes !== null)
  database.prepare('INSERT INTO source VALUES (1, ?, ?, ?, ?, ?)').run(source, epoch, head, live.length, '')
  const insert = database.prepare('INSERT INTO object (source, id, version, attributes) VALUES (1, ?, ?, ?)')
  for (const [id, { version, attributes }] of live) insert.run(id, version, JSON.stringify(attributes))
  database.close()
  return gzipSync(readFileSync(path))
}

/** Lets a server answer requests for bulk data with a file. */
function serve(server: FakeServer, file: Buffer): void {
  const sha256 = createHash('sha256').update(file).digest('hex')
  server.before = request => {
    if (request.endsWith('/bulk_data'))
      return Response.json({ status: 'ready', url: '/file', sha256, size: file.length, tokens: {} })
    return request.endsWith('/file') ? new Response(new Uint8Array(file)) : undefined
  }
}

/** A device whose changes were decided after the server had built a file. */
async function open() {
  const server = new FakeServer()
  server.write('Note', { a: { text: 'old' }, b: { text: 'old' }, c: { text: 'old' } })
  const directory = directories.make()
  const drive = await driveOn('better-sqlite3', directory)
  const { sdk, parts, device } = openOn(drive, server, [definition('Note'), definition('Other')], {
    files: nodeFiles(directory),
  })
  await sdk.login('ada', 'ada')
  await sdk.sync()
  serve(server, await fileOf(server, 'Note'))
  device.find('Note')?.change('a', { text: 'decided' })
  device.find('Note')?.destroy('b')
  await sdk.sync()
  const notes = () => {
    const rows = device.find('Note')?.read(EVERYTHING) ?? []
    return Object.fromEntries(rows.map(({ object, attributes }) => [object, attributes['text']]))
  }
  const seen: unknown[] = []
  const totals: number[] = []
  parts.events.listen(event => {
    seen.push(notes())
    if (event.kind === 'source') totals.push(event.total)
  })
  const model = parts.registry.get('Note') as OpenModel
  return { server, sdk, model, notes, seen, totals }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Another source notices that the server does not know the client any more. */
async function replaceClient({ server, sdk }: Opened): Promise<void> {
  server.clients.clear()
  await sdk.sync('Other')
}

const DECIDED = { a: 'decided', c: 'old' }

test.each([
  ['its client was replaced', replaceClient],
  ['it has to load all rows again', async ({ model }: Opened) => model.scope.sources.voidToken(model.name)],
  [
    'it has begun to load all rows again',
    async ({ server, sdk, model }: Opened) => {
      model.scope.sources.voidToken(model.name)
      sdk.pageSize = 1
      const { before } = server
      let pages = 0
      server.before = request => {
        if (request !== 'GET /app/v1/Note' || ++pages === 1) return before(request)
        throw new TypeError('the network is gone')
      }
      await expect(sdk.sync('Note')).rejects.toMatchObject({ code: 'offline' })
      server.before = before
    },
  ],
])('an older file undoes nothing on a device where %s', async (_, begin) => {
  const opened = await open()
  const { sdk, notes, seen, totals } = opened
  expect(notes()).toEqual(DECIDED)
  await begin(opened)
  totals.length = 0
  const { sources, sync } = await sdk.bulkSync({ sources: ['Note'] })
  expect(sources).toEqual([{ source: 'Note', rows: 0, newer: true }])
  expect(sync.sources).toEqual([{ source: 'Note', received: expect.any(Number), sent: 0 }])
  expect(totals).toEqual([2])
  for (const displayed of [...seen, notes()]) expect(displayed).toEqual(DECIDED)
  await sdk.close()
})

test('a device whose client was replaced imports a file of all that it had', async () => {
  const opened = await open()
  const { server, sdk, notes } = opened
  serve(server, await fileOf(server, 'Note'))
  await replaceClient(opened)
  expect((await sdk.bulkSync({ sources: ['Note'] })).sources).toEqual([{ source: 'Note', rows: 2 }])
  expect(notes()).toEqual(DECIDED)
  await sdk.close()
})
