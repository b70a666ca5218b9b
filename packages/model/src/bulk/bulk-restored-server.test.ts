import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { loadNodeSqlite } from '../drivers/node-sqlite.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

/** What a server's file says of one source, in one epoch. */
interface SourceContent {
  readonly head: number
  readonly mark: string
  readonly rows: Readonly<Record<string, string>>
}

/** As the server makes it, zipped. */
async function fileOf({ head, rows }: SourceContent): Promise<Buffer> {
  const path = join(directories.make(), 'bulk.sqlite')
  const database = new (await loadNodeSqlite()).DatabaseSync(path)
  database.exec(`
    CREATE TABLE source (number INTEGER PRIMARY KEY, name TEXT, epoch TEXT, head INTEGER, count INTEGER, checksum TEXT);
    CREATE TABLE object (row INTEGER PRIMARY KEY, source INTEGER, id TEXT, version INTEGER, attributes TEXT);`)
  const count = Object.keys(rows).length
  database.prepare('INSERT INTO source VALUES (1, ?, ?, ?, ?, ?)').run('Note', 'one epoch', head, count, '')
  const insert = database.prepare('INSERT INTO object (source, id, version, attributes) VALUES (1, ?, ?, ?)')
  for (const [id, text] of Object.entries(rows)) insert.run(id, head, JSON.stringify({ text }))
  database.close()
  return gzipSync(readFileSync(path))
}

async function open() {
  const server = new FakeServer()
  const directory = directories.make()
  const drive = await driveOn('better-sqlite3', directory)
  const { sdk, device } = openOn(drive, server, [definition('Note', { syncType: 'bulk_only' })], {
    files: nodeFiles(directory),
  })
  await sdk.login('ada', 'ada')
  const load = async (stand: SourceContent) => {
    const file = await fileOf(stand)
    const sha256 = createHash('sha256').update(file).digest('hex')
    const tokens = { Note: `${stand.head} ${stand.mark}` }
    const answer = { status: 'ready', url: '/file', sha256, size: file.length, tokens }
    server.before = request => {
      if (request.endsWith('/bulk_data')) return Response.json(answer)
      return request.endsWith('/file') ? new Response(new Uint8Array(file)) : undefined
    }
    const { sources } = await sdk.bulkSync()
    const rows = device.find('Note')?.read(EVERYTHING) ?? []
    return { sources, notes: Object.fromEntries(rows.map(({ object, attributes }) => [object, attributes['text']])) }
  }
  return { sdk, load }
}

const BEFORE: SourceContent = { head: 2, mark: 'before', rows: { a: 'lost', b: 'lost' } }

test.each([2, 1])('a bulk_only model follows a store that was restored to number %i of the same epoch', async head => {
  const { sdk, load } = await open()
  expect((await load(BEFORE)).notes).toEqual(BEFORE.rows)
  const { sources, notes } = await load({ head, mark: 'since', rows: { a: 'kept' } })
  expect({ sources, notes }).toEqual({ sources: [{ source: 'Note', rows: 1 }], notes: { a: 'kept' } })
  await sdk.close()
})

test('a file that the device has imported is not imported again', async () => {
  const { sdk, load } = await open()
  await load(BEFORE)
  expect(await load(BEFORE)).toEqual({ sources: [{ source: 'Note', rows: 0, newer: true }], notes: BEFORE.rows })
  await sdk.close()
})
