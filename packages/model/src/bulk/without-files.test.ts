import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

test('bulk data is requested by partitions of the server; a local model is of the user', async () => {
  const server = new FakeServer()
  const requested: unknown[] = []
  const fetch: FakeServer['fetch'] = async (input, init) => {
    if (!String(input).endsWith('/bulk_data')) return server.fetch(input, init)
    requested.push(JSON.parse(String(init?.body)))
    return Response.json({ status: 'nothing' })
  }
  const definitions = (['user', 'local', 'app'] as const).map(partition => definition(`In_${partition}`, { partition }))
  const directory = directories.make()
  const files = nodeFiles(directory)
  const { sdk } = openOn(await driveOn('better-sqlite3', directory), { fetch }, definitions, { files })
  await sdk.login('ada', 'ada')
  await sdk.bulkSync()
  expect(requested).toEqual([
    { partition_type: 'app', sources: ['In_app'] },
    { partition_type: 'user', sources: ['In_user', 'In_local'] },
  ])
  await sdk.close()
})
