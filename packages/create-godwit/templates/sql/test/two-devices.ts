import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openSdk } from '@godwit/model/node'
import * as models from '../models.ts'
import { folder, type Server, startServer } from './server.ts'

let server: Server
before(async () => {
  server = await startServer()
})
after(() => server.stop())

test('a device gets the rows of every table', async () => {
  const sdk = await openSdk({ directory: join(folder, 'phone'), server: server.url, models })
  await sdk.login('ada', 'ada')
  const { sources } = await sdk.sync()
  assert.deepEqual(
    sources.map(({ source, error }) => [source, error?.message]).filter(([, error]) => error),
    [],
  )
  await sdk.close()
})
