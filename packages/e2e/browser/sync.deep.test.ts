import { join } from 'node:path'
import { openSqliteStore } from '@godwit/store-sqlite'
import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { temporaryFolder } from '../harness/stores.js'
import type { KillableBrowser, Tab } from '../harness/tabs.js'
import { notesWorld } from './notes-world.js'

const world = notesWorld()

const login = (page: Tab) => page.evaluate(`device.login('ada', 'ada')`)
const count = (page: Tab) => page.evaluate('device.models.Note.count()')

inEachBrowser(({ kind, test, newProfile }) => {
  const device = async (): Promise<Tab> => world.open(await newProfile())

  test('devices of two browsers sync with a server of another origin, files too', async () => {
    await world.serve()
    const [first, second] = [await device(), await device()]
    await login(first)
    await login(second)
    await second.evaluate(
      `window.seen = []; device.models.Note.observe({}, rows => { seen.push(rows.map(row => row.text).join()) }); 0`,
    )
    await first.evaluate(
      `device.models.Note.create({ text: 'by train', picture: new File(['a picture'], 'a.txt', { type: 'text/plain' }) }).then(() => device.sync())`,
    )
    expect([...world.server.notes.values()]).toMatchObject([{ text: 'by train' }])
    await second.evaluate('device.sync()')
    expect(await second.evaluate('device.models.Note.find()')).toMatchObject([{ text: 'by train' }])
    await second.waitFor(`seen.at(-1) === 'by train'`)
    const displayed = `device.models.Note.first().then(row => device.blobUrl(row.picture)).then(url => url && fetch(url)).then(answer => answer?.text())`
    expect(await first.evaluate(displayed)).toBe('a picture')
    expect(await second.evaluate(displayed)).toBe('a picture')
    expect(await first.evaluate('events.filter(({ kind }) => kind === "error")')).toEqual([])
  })

  test('a page that is reloaded in the middle of a sync goes on, and has each row once', async () => {
    const many = new Map(Array.from({ length: 12_000 }, (_, at) => [`n${at}`, { text: `note ${at}` }] as const))
    await world.serve({ notes: many })
    const page = await device()
    await login(page)
    for (let reload = 0; reload < 3; reload++) {
      const [before] = [Number(await count(page))]
      await page.waitFor(`device.models.Note.count().then(count => count === 12000 || count > ${before})`)
      await page.reload()
    }
    await page.waitFor('device.models.Note.count().then(count => count === 12000)')
    await page.evaluate('device.sync()')
    expect(await count(page)).toBe(12_000)
    expect(await page.evaluate('device.changes()')).toEqual([])
  })

  test('what a page was told to be stored outlives a browser that is killed while offline, and is sent', async () => {
    const profile = temporaryFolder()
    const store = () => openSqliteStore(join(profile.path, 'server.sqlite'))
    await world.serve({ store: await store() })
    const { notes, url } = world.server
    let mortal: KillableBrowser | undefined
    const start = async (): Promise<Tab> => {
      mortal = await kind.openOn(profile.path)
      return world.open(mortal.profile)
    }
    try {
      const page = await start()
      await login(page)
      await page.evaluate('device.sync()')
      await world.stop()
      const reported: unknown[] = []
      for (let at = 0; at < 5; at++)
        reported.push(await page.evaluate(`device.models.Note.create({ text: 'offline ${at}' }).then(row => row.text)`))
      await mortal?.kill()
      const again = await start()
      const texts = `device.models.Note.find().then(rows => rows.map(row => row.text).toSorted())`
      expect(await again.evaluate(texts)).toEqual(reported)
      await world.serve({ store: await store(), notes, port: Number(new URL(url).port) })
      await again.evaluate('device.sync()')
      expect([...notes.values()].map(({ text }) => text).toSorted()).toEqual(reported)
      expect(await again.evaluate(texts)).toEqual(reported)
    } finally {
      await mortal?.kill()
      profile.remove()
    }
  })
})
