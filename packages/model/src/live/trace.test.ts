import { afterEach, expect, jest, test } from '@jest/globals'
import type { SdkEvent } from '../index.js'
import { openSdkOn } from '../sdk/open-sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const Shop = defineModel('Shop', { sync: 'incremental', attributes: { name: t.string().default('') } })

async function device() {
  const server = new FakeServer()
  server.write('Shop', { a: { name: 'Bakery' }, b: { name: 'Butcher' } })
  const options = {
    ...{ server: 'http://sync.test', fetch: server.fetch, models: { Shop } },
    ...{ eventStream: false, sendWrites: 'with-sync' as const },
  }
  const sdk = openSdkOn(await driveOn('better-sqlite3', directories.make()), options)
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada')
  const heard: SdkEvent[] = []
  void (async () => {
    for await (const event of sdk.events()) heard.push(event)
  })()
  const reported = (kind: SdkEvent['kind']) => heard.filter(event => event.kind === kind)
  return { sdk, reported }
}

test('no events are recorded until a trace is requested', async () => {
  const { sdk, reported } = await device()
  const stop = sdk.models.Shop.observe({}, () => {})
  await sdk.sync()
  sdk.models.Shop.create({ name: 'Baker' })
  await sdk.sync()
  expect([...reported('request'), ...reported('transaction'), ...reported('query')]).toEqual([])
  stop()
  await sdk.close()
})

test('a trace tells of requests with their bytes, of the rows that transactions wrote, and of live queries', async () => {
  const { sdk, reported } = await device()
  const stop = sdk.models.Shop.observe({ order: { name: 'asc' } }, () => {})
  const milliseconds = expect.any(Number)
  expect(sdk.trace()).toMatchObject([{ query: 1, model: 'Shop', rows: 0, runs: 1, milliseconds }])
  await sdk.sync()
  const pulled = { method: 'GET', path: '/app/v1/Shop', status: 200, sent: 0, milliseconds }
  expect(reported('request')).toContainEqual(expect.objectContaining(pulled))
  const bytes = reported('request').map(event => (event.kind === 'request' ? event.received : 0))
  expect(Math.max(...bytes)).toBeGreaterThan(100)
  expect(reported('transaction')).toContainEqual({ kind: 'transaction', rows: { Shop: 2 }, milliseconds })
  expect(reported('query').at(-1)).toMatchObject({ query: 1, model: 'Shop', rows: 2, milliseconds })
  stop()
  expect(sdk.trace()).toEqual([])
  await sdk.close()
})

test('a transaction is timed from its own begin', async () => {
  const { sdk, reported } = await device()
  const now = jest.spyOn(performance, 'now').mockReturnValue(1000)
  sdk.trace()
  now.mockReturnValue(3000)
  sdk.transaction(() => {
    sdk.models.Shop.create({ name: 'Baker' })
    now.mockReturnValue(3005)
  })
  now.mockRestore()
  await sdk.close()
  expect(reported('transaction')).toEqual([{ kind: 'transaction', rows: { Shop: 1 }, milliseconds: 5 }])
})

test('live SQL is traced too', async () => {
  const { sdk, reported } = await device()
  const stop = sdk.sql.observe('SELECT count(*) AS n FROM Shop', [], () => {})
  expect(sdk.trace()).toMatchObject([{ model: 'Shop', text: 'SELECT count(*) AS n FROM Shop', rows: 1 }])
  stop()
  await sdk.close()
  expect(reported('error')).toEqual([])
})
