import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const ERROR = { code: 'backend_failed', message: 'The backend is away.' }

test('a source whose first query failed keeps its rows, and the summary has the failure', async () => {
  const server = new FakeServer()
  const tickets: unknown[] = []
  const answers: object[] = [
    { status: 'wait', ticket: 'since then' },
    { status: 'nothing', pending: ['Note'], source_errors: { Note: ERROR } },
    { status: 'nothing' },
  ]
  const fetch: FakeServer['fetch'] = async (input, init) => {
    if (!String(input).endsWith('/bulk_data')) return server.fetch(input, init)
    tickets.push(JSON.parse(String(init?.body)).ticket)
    return Response.json(answers.shift())
  }
  const directory = directories.make()
  const definitions = [definition('Note'), definition('Other', { syncType: 'bulk_only' })]
  const files = nodeFiles(directory)
  const drive = await driveOn('better-sqlite3', directory)
  const first = openOn(drive, { fetch }, definitions, { files })
  await first.sdk.login('ada', 'ada')
  server.write('Note', { n: { text: 'from before' } })
  await first.sdk.sync()
  await first.sdk.close()
  const again = await driveOn('better-sqlite3', directory)
  const { sdk, parts } = openOn(again, { fetch }, [definition('Note', { syncType: 'bulk_only' })], { files })
  const errors: unknown[] = []
  parts.events.listen(event => event.kind === 'error' && errors.push(event.error))
  const summary = await sdk.bulkSync()
  expect(summary.sources).toEqual([{ source: 'Note', rows: 0, pending: true, error: ERROR }])
  expect([tickets, errors]).toEqual([[undefined, 'since then'], [ERROR]])
  const rows = () => sdk.getModel('Note')?.count()
  expect(rows()).toBe(1)
  expect((await sdk.bulkSync()).sources).toEqual([{ source: 'Note', rows: 0 }])
  expect(rows()).toBe(0)
  await sdk.close()
})
