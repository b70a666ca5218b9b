import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const GONE = { type: 'about:blank', title: 'Not found', status: 404, code: 'client_not_found', detail: 'It is gone.' }

test('a device with only bulk_only models gets another client id where the server forgot its client', async () => {
  const server = new FakeServer()
  const clients: (string | null)[] = []
  const fetch: FakeServer['fetch'] = async (input, init) => {
    if (!String(input).endsWith('/bulk_data')) return server.fetch(input, init)
    const client = new Headers(init?.headers).get('x-sync-client-id')
    clients.push(client)
    return client === clients[0] ? Response.json(GONE, { status: 404 }) : Response.json({ status: 'nothing' })
  }
  const directory = directories.make()
  const drive = await driveOn('better-sqlite3', directory)
  const models = [definition('Note', { syncType: 'bulk_only' })]
  const { sdk, parts } = openOn(drive, { fetch }, models, { files: nodeFiles(directory) })
  const resyncs: unknown[] = []
  parts.events.listen(event => event.kind === 'resync' && resyncs.push([event.source, event.reason]))
  await sdk.login('ada', 'ada')
  expect((await sdk.bulkSync()).sources).toEqual([{ source: 'Note', rows: 0 }])
  expect(clients).toEqual([expect.any(String), expect.any(String)])
  expect(clients[1]).toBe(sdk.clientId())
  expect(resyncs).toEqual([['Note', 'client']])
  await sdk.close()
})

test('a device with only bulk_only models is logged out where the server forgot its session', async () => {
  const server = new FakeServer()
  const over = {
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    code: 'session_missing',
    detail: 'It is gone.',
  }
  server.before = request => (request.endsWith('/bulk_data') ? Response.json(over, { status: 401 }) : undefined)
  const directory = directories.make()
  const drive = await driveOn('better-sqlite3', directory)
  const models = [definition('Note', { syncType: 'bulk_only' })]
  const { sdk } = openOn(drive, server, models, { files: nodeFiles(directory) })
  await sdk.login('ada', 'ada')
  await expect(sdk.bulkSync()).rejects.toMatchObject({ code: 'logged_out' })
  expect(sdk.isLoggedIn()).toBe(false)
  server.before = request => (request.endsWith('/bulk_data') ? Response.json({ status: 'nothing' }) : undefined)
  await sdk.login('ada', 'ada')
  expect((await sdk.bulkSync()).sources).toEqual([{ source: 'Note', rows: 0 }])
  await sdk.close()
})
