import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../harness/server-process.js'
import { storesOf } from '../harness/stores.js'

const folder = folderPerTest()

const serve = (store: string, port = 0) => startServer({ store, config: 'pushed-cities.mjs', port })

const device = ({ url }: ServerProcess, what: 'listen' | 'pings' | 'leave') =>
  start(inRepository('packages/e2e/harness/programs/listening-device.mjs'), [join(folder.path, what), url, what])

async function push({ url }: ServerProcess, name: string): Promise<AdminClient> {
  const admin = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
  await admin.push.objects('City', '*', { [name]: { name } })
  return admin
}

test.each(storesOf('listening'))(
  'a listening device receives pushed objects at once, and pings, over $name',
  async ({ address }) => {
    const server = await serve(await address(folder.path))
    const listening = device(server, 'listen')
    await listening.line(/"synced":true/)
    const admin = await push(server, 'Amman')
    await listening.line(/"cities":\["Amman"\]/)
    await admin.users.ping('ada', { message: 'Look at this', badge: 2, sources: ['City'] })
    const [, ping = '{}'] = await listening.line(/^(\{"kind":"ping".*\})$/m)
    expect(JSON.parse(ping)).toMatchObject({ message: 'Look at this', badge: 2, sources: ['City'] })
  },
)

test('a ping after a push makes a device sync that has no event stream', async () => {
  verifies('rest.plugin.ping-triggers-sync')

  const server = await serve('memory:')
  const pinged = device(server, 'pings')
  await pinged.line(/"synced":true/)
  const admin = await push(server, 'Amman')
  await admin.users.ping('ada', { sources: 'City', message: 'first' })
  await pinged.line(/"cities":\["Amman"\]/)
  await push(server, 'Bern')
  await admin.users.ping('ada', { message: 'names no source' })
  await pinged.line(/names no source/)
  expect(pinged.output().out).not.toContain('Bern')
  await admin.users.ping('ada', { sources: 'City', message: 'second' })
  await pinged.line(/"cities":\["Amman","Bern"\]/)
})

test('a device reconnects to a server that was away', async () => {
  const store = `sqlite:${join(folder.path, 'godwit.sqlite')}`
  const server = await serve(store)
  const listening = device(server, 'listen')
  await listening.line(/"synced":true/)
  await push(server, 'Amman')
  await listening.line(/"cities":\["Amman"\]/)
  await server.kill('SIGTERM')
  const again = await serve(store, Number(new URL(server.url).port))
  await push(again, 'Bern')
  await listening.line(/"cities":\["Amman","Bern"\]/)
})

test('a device that listens and polls does not keep its process alive', async () => {
  const server = await serve('memory:')
  const leaving = device(server, 'leave')
  expect(await leaving.exit).toEqual({ code: 0, signal: null })
  expect(leaving.output().out).toContain('"synced":true')
})
