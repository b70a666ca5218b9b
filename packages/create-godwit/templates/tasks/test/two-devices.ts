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

const open = (name: string) => openSdk({ directory: join(folder, name), server: server.url, models })
const titles = (sdk: Awaited<ReturnType<typeof open>>) => sdk.models.Task.find().map(({ title }) => title)

test('what one device writes offline is on the other once both have synced', async () => {
  const [phone, laptop] = [await open('phone'), await open('laptop')]
  phone.models.Task.create({ title: 'Buy milk' })
  for (const sdk of [phone, laptop]) {
    await sdk.login('ada', 'ada')
    await sdk.sync()
  }
  assert.ok(titles(laptop).includes('Buy milk'))
  phone.models.Task.create({ title: 'x'.repeat(61) })
  await phone.sync()
  assert.equal(phone.refused()[0]?.error.message, 'A title has at most 60 letters.')
  for (const sdk of [phone, laptop]) await sdk.close()
})
