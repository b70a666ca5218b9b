import { afterEach, expect, test } from '@jest/globals'
import { openSdkOn } from '../sdk/open-sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const Shop = defineModel('Shop', { sync: 'incremental', attributes: { name: t.string().default('') } })

test('a pull by body has one address, with the parameters of the app beside those of the pull', async () => {
  const server = new FakeServer()
  server.write('Shop', { a: { name: 'Bakery' } })
  const bodies: unknown[] = []
  const fetch: FakeServer['fetch'] = (input, init) => {
    const url = new URL(String(input))
    if (!url.pathname.endsWith('/Shop/pull')) return server.fetch(input, init)
    const { parameters, ...own } = JSON.parse(String(init?.body)) as { readonly parameters?: object; token?: string }
    bodies.push({ parameters, own: Object.keys(own).toSorted() })
    const query = new URLSearchParams(
      Object.entries({ ...parameters, ...own }).map(([name, value]) => [name, `${value}`]),
    )
    const { body: _, ...rest } = init ?? {}
    return server.fetch(`${url.origin}/app/v1/Shop?${query}`, { ...rest, method: 'GET' })
  }
  const options = {
    server: 'http://sync.test',
    fetch,
    models: { Shop },
    eventStream: false,
    sendWrites: 'with-sync' as const,
  }
  const sdk = openSdkOn(await driveOn('better-sqlite3', directories.make()), options, { pullsByBody: true })
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada')
  await sdk.sync({ query: { near: 'par' } })
  expect(sdk.models.Shop.find()).toMatchObject([{ name: 'Bakery' }])
  expect(bodies).toEqual([{ parameters: { near: 'par' }, own: ['acknowledged', 'p_size'] }])
  await sdk.sync()
  expect(bodies[1]).toEqual({ parameters: undefined, own: ['acknowledged', 'p_size', 'token'] })
  server.write('Shop', { b: { name: 'Café' }, c: { name: 'Deli' } })
  sdk.pageSize = 1
  await sdk.sync()
  const ahead = { parameters: undefined, own: ['acknowledged', 'p_size', 'stored_token', 'token'] }
  expect(bodies.slice(2, 4)).toEqual([bodies[1], ahead])
  await sdk.close()
})
