import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { createSyncServer, defineSource } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { until, verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { temporaryFolder } from '../harness/stores.js'

const admin = { login: 'admin', password: 'admin' }
const models = { City: defineModel('City', { sync: 'incremental', attributes: { name: t.string() } }) }

test('a ping after a push makes a device sync the source, and it has what was pushed', async () => {
  verifies('rest.plugin.ping-triggers-sync')

  const folder = temporaryFolder()
  const memory = openMemoryStore()
  // Change events are suppressed, so that the device is woken only by the ping.
  const publish: typeof memory.events.publish = async (channel, event) =>
    (event as { readonly kind?: string }).kind === 'change' ? undefined : memory.events.publish(channel, event)
  const store = { ...memory, events: { ...memory.events, publish } }
  const server = createSyncServer({
    store,
    sources: [defineSource({ name: 'City', partition: 'app', pollInterval: -1 })],
    admin,
    users: [{ login: 'ada', password: 'ada' }],
    limits: { passwordCost: 16 },
  })
  const { url } = await server.listen({ port: 0 })
  const sdk = await openSdk({ directory: join(folder.path, 'device'), server: url, models })
  const heard: string[] = []
  const listening = (async () => {
    for await (const { kind } of sdk.events()) heard.push(kind)
  })()
  const names = () => sdk.models.City.find().map(({ name }) => name)
  await sdk.login('ada', 'ada')
  await sdk.sync()
  const backend = await AdminClient.login({ url, ...admin })
  // The event stream opens once the device has a client; an earlier ping reaches no device.
  const ping = () => backend.users.ping('ada', { sources: ['City'], message: 'There is a new city' })
  await until(async () => (await ping()).sent > 0, { every: 20 })
  await until(() => heard.filter(kind => kind === 'complete').length === 2)

  await backend.push.objects('City', '*', { amman: { name: 'Amman' } })
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(names()).toEqual([])
  await ping()
  await until(() => names().length > 0)
  expect([names(), heard.includes('ping')]).toEqual([['Amman'], true])

  await sdk.close()
  await listening
  await server.close()
  await store.close()
  folder.remove()
})
