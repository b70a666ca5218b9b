import { afterEach, expect, test } from '@jest/globals'
import { openSdkOn } from '../sdk/open-sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'
import { City, models, openPage, serve, Visit } from './remote.fixture.js'
import { openRemote } from './remote-link.js'

const directories = temporaryDirectories()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  directories.removeAll()
})

async function open(options: Parameters<typeof serve>[1] = {}, directory = directories.make()) {
  const served = await serve(directory, options)
  ends.push(() => served.sdk.close())
  return {
    ...served,
    connect(given: Parameters<typeof openPage>[1] = {}) {
      const opened = openPage(served.host, given)
      ends.push(opened.close)
      return opened.page
    },
  }
}

test('a page with other models is told to reload, and so are its callers', async () => {
  const { connect } = await open()
  const Town = defineModel('City', { partition: 'app', attributes: { name: t.string(), mayor: t.string().optional() } })
  const page = connect({ models: { City: Town, Visit } as unknown as typeof models })
  const heard = page.events().next()
  await expect(page.models.City.count()).rejects.toMatchObject({ code: 'reload_needed' })
  await expect(page.models.City.count()).rejects.toMatchObject({ code: 'reload_needed' })
  expect(page.status.current().problem).toMatchObject({ code: 'reload_needed' })
  expect(await heard).toMatchObject({ value: { kind: 'error', source: null, error: { code: 'reload_needed' } } })
  const live = page.models.City.live()
  live.subscribe(() => {})
  expect(live.current()).toMatchObject({ status: 'failed', error: { code: 'reload_needed' } })
})

test('a page of an older release with the same models is served', async () => {
  const { connect } = await open({ host: { release: 3 } })
  expect(await connect({ release: 2 }).models.City.count()).toBe(0)
})

test('an owner older than a page is told to release the device, also repeatedly', async () => {
  let reported = 0
  const outdated = () => {
    reported++
    first.host.letGo()
  }
  const first = await open({ host: { release: 1, outdated } })
  const other = first.connect()
  expect(await other.models.City.count()).toBe(0)
  const page = first.connect({ release: 2 })
  const count = page.models.City.count()
  while (reported === 0) await new Promise(resolve => setImmediate(resolve))
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(other.status.current().connected).toBe(false)
  expect(page.status.current().problem).toBeNull()
  page.close()
  await expect(count).rejects.toMatchObject({ code: 'sdk_closed' })
})

test('an owner that cannot release the device tells a newer page', async () => {
  const { connect } = await open({ host: { release: 1 } })
  await expect(connect({ release: 2 }).models.City.count()).rejects.toMatchObject({ code: 'reload_needed' })
})

test('a device records the highest release that opened it, and an older one changes nothing', async () => {
  const directory = directories.make()
  const newer = await open({ sdk: { release: 7 } }, directory)
  newer.sdk.models.City.create({ name: 'Paris' })
  await newer.sdk.close()
  const drive = await driveOn('better-sqlite3', directory)
  const options = { server: 'http://sync.test', fetch: new FakeServer().fetch, eventStream: false }
  const Changed = defineModel('City', { partition: 'app', schemaVersion: 9, attributes: { name: t.integer() } })
  expect(() => openSdkOn(drive, { ...options, release: 6, models: { City: Changed } })).toThrow(
    expect.objectContaining({ code: 'reload_needed', details: { release: 7, own: 6 } }),
  )
  const same = openSdkOn(drive, { ...options, release: 7, models: { City, Visit } })
  expect(same.models.City.first()?.name).toBe('Paris')
  await same.close()
  const unnamed = openSdkOn(drive, { ...options, models: { City, Visit } })
  expect(unnamed.models.City.count()).toBe(1)
  await unnamed.close()
})

test('an unknown message is ignored', async () => {
  const { connect, host } = await open()
  const { port1, port2 } = new MessageChannel()
  host.connect(port1)
  ends.push(() => port1.close())
  const page = openRemote(port2, { models })
  for (const odd of [
    null,
    'x',
    7,
    {},
    { godwit: 5 },
    { godwit: '__proto__' },
    { godwit: 'call' },
    { data: { godwit: 'no' } },
  ])
    port2.postMessage(odd)
  expect(await page.models.City.count()).toBe(0)
  const hostile = connect() as unknown as { readonly models: { readonly City: object } }
  expect(Object.keys(hostile.models.City)).not.toContain('constructor')
  page.close()
})
