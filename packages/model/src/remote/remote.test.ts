import { afterEach, expect, test } from '@jest/globals'
import { FakeServer } from '../testing/fake-server.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { openPage, serve } from './remote.fixture.js'

const directories = temporaryDirectories()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  directories.removeAll()
})

async function open(options: Parameters<typeof serve>[1] = {}) {
  const served = await serve(directories.make(), options)
  ends.push(() => served.sdk.close())
  const opened = openPage(served.host)
  ends.push(opened.close)
  return {
    ...served,
    ...opened,
    connect: () => {
      const other = openPage(served.host)
      ends.push(other.close)
      return other.page
    },
  }
}

test('a page has the methods of the device as promises, with the same frozen rows', async () => {
  const { page, sdk } = await open()
  const paris = await page.models.City.create({ name: 'Paris' })
  const at = new Date('2026-03-01T10:00:00.000Z')
  const visit = await page.models.Visit.create({ cityId: paris.id, visitedAt: at, tags: ['a', 'b'] })
  expect(visit).toEqual(sdk.models.Visit.get(visit.id))
  expect(visit.visitedAt).toEqual(at)
  expect(Object.keys(visit)).toContain('photo')
  expect([visit, visit.tags].every(Object.isFrozen)).toBe(true)
  const [found] = await page.models.Visit.find({ with: { city: true }, conditions: { city: { name: 'Paris' } } })
  expect(found?.city?.name).toBe('Paris')
  expect(await page.models.Visit.get('none')).toBeUndefined()
  expect(await page.models.City.count()).toBe(1)
  expect(await page.models.City.update(paris.id, { population: 7 })).toMatchObject({ population: 7 })
  expect(await page.models.City.updateMany({ population: 7 }, { population: 8 })).toBe(1)
  expect(await page.sql.first<{ n: number }>('SELECT count(*) n FROM City WHERE population = ?', [8])).toEqual({ n: 1 })
  expect(await page.models.Visit.hasChanges(visit.id)).toBe(false)
  expect(await page.models.City.destroy(paris.id)).toBe(true)
  expect(await page.models.Visit.destroyAll()).toBe(1)
})

test('a live query has a snapshot, in which unchanged rows are the same objects', async () => {
  const { page, connect } = await open()
  const [one, two] = await page.models.City.createMany([{ name: 'a' }, { name: 'b' }])
  const live = page.models.City.live({ order: { name: 'asc' } })
  expect(live.current()).toEqual({ status: 'loading', rows: [], error: undefined })
  let reported = 0
  const stop = live.subscribe(() => reported++)
  await page.models.City.count()
  const first = live.current()
  expect(first.rows.map(({ name }) => name)).toEqual(['a', 'b'])
  await connect().models.City.update(two?.id ?? '', { name: 'c' })
  await page.models.City.create({ name: 'aa' })
  const second = live.current()
  expect(second.rows.map(({ name }) => name)).toEqual(['a', 'aa', 'c'])
  expect(second.rows[0]).toBe(first.rows[0])
  expect(second.rows[0]).toEqual(one)
  expect(second.rows.every(Object.isFrozen)).toBe(true)
  stop()
  await page.models.City.create({ name: 'd' })
  expect(live.current()).toBe(second)
  expect(reported).toBe(3)
})

test('whether the server can be reached is unknown until a request was tried, to later pages too', async () => {
  let isOff = true
  const server = new FakeServer()
  const fetch: typeof globalThis.fetch = (...given) =>
    isOff ? Promise.reject(new TypeError('no network')) : server.fetch(...given)
  const { page, sdk, connect } = await open({ sdk: { fetch } })
  expect(page.status.current().online).toBeNull()
  await page.models.City.count()
  expect([sdk.status().online, page.status.current().online]).toEqual([null, null])
  await expect(page.login('ada', 'ada')).rejects.toMatchObject({ code: 'offline' })
  expect([sdk.status().online, page.status.current().online]).toEqual([false, false])
  isOff = false
  await page.login('ada', 'ada')
  const other = connect()
  await other.models.City.count()
  expect([page, other].map(({ status }) => status.current().online)).toEqual([true, true])
})

test('pages hear of changes that wait, though the thread of the device made them by itself', async () => {
  const { page, sdk } = await open()
  await page.models.Visit.count()
  sdk.addModel('Extra', model => model.enable('sync')).create({ text: 'first' })
  await new Promise<void>(resolve => page.status.subscribe(resolve))
  expect(page.status.current().waiting).toBe(1)
})
