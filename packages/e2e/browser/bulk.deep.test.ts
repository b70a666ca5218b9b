import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { notesWorld } from './notes-world.js'

const world = notesWorld()

const COUNT = 40_000
const login = (page: Tab) => page.evaluate(`device.login('ada', 'ada')`)
const count = (page: Tab) => page.evaluate('device.models.Note.count()')
/** How many files of bulk data are there. */
const KEPT = `(async () => {
  const root = await navigator.storage.getDirectory()
  const device = await (await root.getDirectoryHandle('godwit')).getDirectoryHandle('visits')
  const names = await Array.fromAsync((await device.getDirectoryHandle('bulk')).keys())
  return names.length
})()`

inEachBrowser(({ test, newProfile }) => {
  const device = async (worker: string): Promise<Tab> => world.open(await newProfile(), { worker })

  test('a page that is reloaded in the middle of bulk data goes on, loses nothing and keeps no file', async () => {
    const many = new Map(Array.from({ length: COUNT }, (_, at) => [`n${at}`, { text: `note ${at}` }] as const))
    await world.serve({ notes: many })
    const first = await device('/worker.js')
    await login(first)
    await first.evaluate('device.sync()')
    await first.close()

    const page = await device('/worker.js?still=1')
    await login(page)
    expect(await count(page)).toBe(0)
    for (let reload = 1; reload <= 3; reload++) {
      await page.evaluate('void device.bulkSync()')
      await page.waitFor(`device.models.Note.count().then(count => count > ${(COUNT * reload) / 5})`, { every: 5 })
      await page.evaluate(`device.models.Draft.create({ text: 'before reload ${reload}' })`)
      await page.reload()
    }
    await page.evaluate('device.bulkSync()')
    expect(await count(page)).toBe(COUNT)
    expect(await page.evaluate('device.models.Draft.count()')).toBe(3)
    expect(await page.evaluate(KEPT)).toBe(0)
    // What came is what the server has: no pull brings it again.
    expect(await page.evaluate('device.sync().then(({ received }) => received)')).toBe(0)
  }, 180_000)

  test('a page syncs places as a file that another one had made, and goes on with it after a reload', async () => {
    const places = new Map(Array.from({ length: COUNT }, (_, at) => [`p${at}`, { name: `place ${at}` }] as const))
    await world.serve({ places })
    const first = await world.open(await newProfile(), { places: '1', worker: '/worker.js?places=1' })
    await login(first)
    await first.evaluate(`device.bulkSync({ sources: ['Place'] })`)
    await first.close()

    const page = await world.open(await newProfile(), { places: '1', worker: '/worker.js?places=1&still=1' })
    await login(page)
    await page.evaluate('void device.sync()')
    await page.waitFor(`device.models.Place.count().then(count => count > ${COUNT / 5})`, { every: 5 })
    await page.evaluate(`device.models.Draft.create({ text: 'before the reload' })`)
    await page.reload()
    await page.evaluate('device.sync()')
    const bulk = `events.filter(({ kind }) => kind === 'bulk').map(({ status }) => status)`
    expect(await page.evaluate('device.models.Place.count()')).toBe(COUNT)
    expect(await page.evaluate(bulk)).toEqual(['ready'])
    expect(await page.evaluate(`events.filter(({ kind }) => kind === 'error')`)).toEqual([])
    expect(await page.evaluate(KEPT)).toBe(0)
    expect(await page.evaluate('device.models.Draft.count()')).toBe(1)
    expect(await page.evaluate('device.sync().then(({ received }) => received)')).toBe(0)
  }, 180_000)
})
