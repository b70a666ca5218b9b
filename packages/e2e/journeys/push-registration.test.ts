import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { createSyncServer, defineSource, type PushProvider } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { temporaryFolder } from '../harness/stores.js'

const admin = { login: 'admin', password: 'admin' }
const models = { City: defineModel('City', { sync: 'incremental', attributes: { name: t.string() } }) }
const SUBSCRIPTION = { endpoint: 'https://push.example/1', keys: { p256dh: 'a', auth: 'b' } }

/** A device and a server with providers that record the addresses of their messages. */
async function openWorld() {
  const folder = temporaryFolder()
  const pins: string[] = []
  const provider: PushProvider = {
    async send(_message, { pin }) {
      pins.push(pin)
      return 'sent'
    },
  }
  const server = createSyncServer({
    store: openMemoryStore(),
    sources: [defineSource({ name: 'City', partition: 'app', pollInterval: -1 })],
    admin,
    users: ['ada', 'grace'].map(login => ({ login, password: login })),
    pushProviders: { fcm: provider, webpush: Object.assign({ publicKey: 'the public key' }, provider) },
    limits: { passwordCost: 16 },
  })
  const network = { isUp: true }
  const serve: typeof fetch = (input, init) =>
    network.isUp ? server.fetch(new Request(input, init)) : Promise.reject(new TypeError('fetch failed'))
  const open = async () => {
    const directory = join(folder.path, 'device')
    const sdk = await openSdk({ directory, server: 'http://sync.test', models, fetch: serve, eventStream: false })
    sdk.pollInterval = 0
    return sdk
  }
  const { url } = await server.listen({ port: 0 })
  const operator = await AdminClient.login({ url, ...admin })
  let count = 0
  return {
    sdk: await open(),
    open,
    network,
    /** Pings a user and returns the addresses that it reached. */
    async ping(user: string) {
      pins.length = 0
      await operator.users.ping(user, { message: `message ${++count}` })
      return [...pins]
    },
    async close() {
      await server.close()
      folder.remove()
    },
  }
}

let world: Awaited<ReturnType<typeof openWorld>>
beforeEach(async () => {
  world = await openWorld()
})
afterEach(async () => {
  await world.sdk.close()
  await world.close()
})

const phone = (token: string) => ({ type: 'fcm', token })

describe('the push address of a device', () => {
  test('is on the server at once, is replaced by the next, and removed', async () => {
    const { sdk, ping } = world
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await sdk.registerPush(phone('one'))
    expect(await ping('ada')).toEqual(['one'])
    await sdk.registerPush(phone('two'))
    expect(await ping('ada')).toEqual(['two'])
    await sdk.unregisterPush()
    expect(await ping('ada')).toEqual([])
  })

  test('may be registered before the first login, and without a network', async () => {
    const { sdk, ping, network } = world
    await sdk.registerPush(phone('one'))
    await sdk.login('ada', 'ada')
    await sdk.sync()
    expect(await ping('ada')).toEqual(['one'])
    network.isUp = false
    await sdk.registerPush(phone('two'))
    network.isUp = true
    expect(await ping('ada')).toEqual(['one'])
    await sdk.sync()
    expect(await ping('ada')).toEqual(['two'])
    network.isUp = false
    await sdk.unregisterPush()
    network.isUp = true
    await sdk.sync()
    expect(await ping('ada')).toEqual([])
  })

  test('belongs to the user who is logged in, and to no user in between', async () => {
    const { sdk, ping } = world
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await sdk.registerPush(phone('one'))
    await sdk.logout()
    expect(await ping('ada')).toEqual([])
    await sdk.login('ada', 'ada')
    await sdk.sync()
    expect(await ping('ada')).toEqual(['one'])
    await sdk.login('grace', 'grace')
    await sdk.sync()
    expect([await ping('ada'), await ping('grace')]).toEqual([[], ['one']])
  })

  test('is kept when the app is opened again, and over a client reset', async () => {
    const { sdk, ping, open } = world
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await sdk.registerPush(phone('one'))
    await sdk.close()
    world.sdk = (await open()) as typeof sdk
    await world.sdk.databaseClientReset()
    await world.sdk.sync()
    expect(await ping('ada')).toEqual(['one'])
  })

  test('may be the subscription of a browser, or its JSON', async () => {
    const { sdk, ping } = world
    await sdk.login('ada', 'ada')
    await sdk.sync()
    expect(await sdk.pushKey()).toBe('the public key')
    await sdk.registerPush({ toJSON: () => SUBSCRIPTION })
    expect(await ping('ada')).toEqual([JSON.stringify(SUBSCRIPTION)])
    await sdk.registerPush({ ...SUBSCRIPTION, endpoint: 'https://push.example/2' })
    expect(await ping('ada')).toEqual([JSON.stringify({ ...SUBSCRIPTION, endpoint: 'https://push.example/2' })])
  })

  test.each([
    [{ ...SUBSCRIPTION, endpoint: 'http://push.example/1' }, 'expected an endpoint with https'],
    [{ ...SUBSCRIPTION, keys: { p256dh: 'a' } }, 'expected the keys p256dh and auth'],
    [phone(''), 'expected a type and a token'],
  ])('%j is refused', async (address, message) => {
    await expect(world.sdk.registerPush(address)).rejects.toThrow(message)
  })
})
