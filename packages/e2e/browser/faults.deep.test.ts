import { join } from 'node:path'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterEach, expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { temporaryFolder } from '../harness/stores.js'
import type { KillableBrowser, Tab } from '../harness/tabs.js'
import { type NotesServer, openTab, serveNotes } from './app.js'
import { seeded } from './seeded-numbers.js'
import { usePages } from './use-pages.js'

const REFUSED = `
StorageManager.prototype.getDirectory = async () => {
  throw new DOMException('refused', 'SecurityError')
}`

/** The first two times, the origin's folder cannot be had. */
const SHAKY = `
const give = StorageManager.prototype.getDirectory
let failures = 2
StorageManager.prototype.getDirectory = async function () {
  if (failures-- > 0) throw new DOMException('not now', 'InvalidStateError')
  return give.call(this)
}`
const BROKEN = `
FileSystemFileHandle.prototype.createSyncAccessHandle = async () => {
  throw new DOMException('the state of the disk', 'InvalidStateError')
}`
/** Every file is an old one. */
const LATER = `Object.defineProperty(File.prototype, 'lastModified', { get: () => 0 })`
/** The folder of the origin is never listed to its end. */
const ENDLESS = `
const { values } = FileSystemDirectoryHandle.prototype
FileSystemDirectoryHandle.prototype.values = function () {
  return this.name === '' ? { next: () => new Promise(() => {}), [Symbol.asyncIterator]() { return this } } : values.call(this)
}`

/** A browser that takes long to count what the origin stores. */
const COUNTING = `
const estimate = StorageManager.prototype.estimate
StorageManager.prototype.estimate = async function () {
  await new Promise(resolve => setTimeout(resolve, 3000))
  return estimate.call(this)
}`

const pages = usePages({
  refused: REFUSED,
  shaky: SHAKY,
  broken: BROKEN,
  later: LATER,
  endless: ENDLESS,
  counting: COUNTING,
})
let world: NotesServer | undefined
afterEach(async () => {
  await world?.server.close()
  world = undefined
})

const texts = (page: Tab, model = 'Draft') =>
  page.evaluate(`device.models.${model}.find().then(rows => rows.map(({ text }) => text).toSorted())`)

const KILLS = { Chromium: 8, Firefox: 3 }

inEachBrowser(({ kind, test, newProfile }) => {
  test('what a page was told to be stored outlives a browser that is killed at random, once each', async () => {
    const profile = temporaryFolder()
    const random = seeded(7)
    const store = () => openSqliteStore(join(profile.path, 'server.sqlite'))
    world = await serveNotes([pages.url], { store: await store() })
    const { notes, url } = world
    const reported = new Set<string>()
    let mortal: KillableBrowser | undefined
    const start = async (): Promise<Tab> => {
      mortal = await kind.openOn(profile.path)
      return openTab(mortal.profile, pages, { server: url })
    }
    try {
      const page = await start()
      await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
      await mortal?.kill()
      await world.server.close()
      for (let round = 0; round < KILLS[kind.name]; round++) {
        const page = await start()
        const before = new Set((await texts(page, 'Note')) as string[])
        expect([...reported].filter(text => !before.has(text))).toEqual([])
        let isOver = false
        const writes = (async () => {
          for (let at = 0; !isOver; at++) {
            const text = `${round} ${at}`
            await page.evaluate(`device.models.Note.create({ text: '${text}' }).then(() => 0)`)
            reported.add(text)
          }
        })().catch(() => {})
        await new Promise(resolve => setTimeout(resolve, 20 + random() * 400))
        isOver = random() < 0.3
        await mortal?.kill()
        isOver = true
        await writes
      }
      world = await serveNotes([pages.url], { notes, store: await store(), port: Number(new URL(url).port) })
      const again = await start()
      const here = (await texts(again, 'Note')) as string[]
      expect(new Set(here).size).toBe(here.length)
      expect([...reported].filter(text => !here.includes(text))).toEqual([])
      await again.waitFor('device.sync().then(() => device.status.current().waiting === 0)', { every: 500 })
      expect([...notes.values()].map(({ text }) => text).toSorted()).toEqual(here)
    } finally {
      await mortal?.kill()
      profile.remove()
    }
  }, 300_000)

  test('where the origin refuses files, a device is in memory, and says so once', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages, { worker: '/refused.js' })
    await page.evaluate(`device.models.Draft.create({ text: 'in memory' })`)
    expect(await texts(page)).toEqual(['in memory'])
    expect(await page.evaluate('device.status.current()')).toMatchObject({ storage: 'memory', durable: false })
    const told = await page.evaluate('events.filter(({ kind }) => kind === "error").map(({ error }) => error.message)')
    expect(told).toEqual([expect.stringMatching(/^Data is stored in memory only/)])
  })

  test('where the origin fails to give its folder for a moment, a device waits, and keeps its data', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages, { worker: '/shaky.js' })
    await page.evaluate(`device.models.Draft.create({ text: 'on disk' })`)
    expect(await page.evaluate('device.status.current()')).toMatchObject({ durable: true })
    await page.reload()
    expect(await texts(page)).toEqual(['on disk'])
  })

  test('a page knows with its first answer that its data is kept, however long the browser counts', async () => {
    const page = await openTab(await newProfile(), pages, { worker: '/counting.js' })
    await page.evaluate(`device.models.Draft.create({ text: 'on disk' })`)
    expect(await page.evaluate('device.status.current()')).toMatchObject({ role: 'owner', durable: true })
  })

  test('where a file cannot be opened, the error says why, and nothing is written to memory instead', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages, { worker: '/broken.js' })
    const answer = await page.evaluate(`device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`)
    expect(answer).toMatchObject({ message: expect.stringContaining('the state of the disk') })
    expect(
      await page.evaluate('events.filter(({ kind }) => kind === "error").map(({ error }) => error.message)'),
    ).not.toContainEqual(expect.stringMatching(/in memory/))
  })

  test('what killed openings left in the folder of the origin is removed by a later one', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages, { worker: '/later.js' })
    await page.evaluate(`navigator.storage.getDirectory()
      .then(folder => folder.getFileHandle('.opfs-sahpool-sync-check-left', { create: true })).then(() => 0)`)
    await page.reload()
    await texts(page)
    await page.waitFor(`navigator.storage.getDirectory().then(folder => Array.fromAsync(folder.keys()))
      .then(names => names.join() === 'godwit')`)
  })

  test('no opening waits until the folder of the origin has been looked through', async () => {
    const page = await openTab(await newProfile(), pages, { worker: '/endless.js' })
    await page.evaluate(`device.models.Draft.create({ text: 'at once' })`)
    expect(await texts(page)).toEqual(['at once'])
  })

  test('an old tab lets a newer release have the device, keeps nothing back, and is told to reload', async () => {
    const profile = await newProfile()
    const old = await openTab(profile, pages, { release: '1', worker: '/worker.js?release=1' })
    await old.evaluate(`device.models.Draft.create({ text: 'by the old one' })`)
    const newer = await openTab(profile, pages, { release: '2', worker: '/worker.js?release=2' })
    expect(await texts(newer)).toEqual(['by the old one'])
    expect(await newer.evaluate('device.status.current().role')).toBe('owner')
    await newer.evaluate(`device.models.Draft.create({ text: 'by the newer one' })`)
    await newer.close()
    const create = `device.models.Draft.create({ text: 'too old' }).then(() => 'stored', ({ code }) => code)`
    expect(await old.evaluate(create)).toBe('reload_needed')
    const last = await openTab(profile, pages, { release: '2', worker: '/worker.js?release=2' })
    expect(await texts(last)).toEqual(['by the newer one', 'by the old one'])
  })

  test('where the server does not allow the origin of the page, the error says so', async () => {
    world = await serveNotes([])
    const profile = await newProfile()
    const page = await openTab(profile, pages, { server: world.url })
    const login = `device.login('ada', 'ada').catch(({ code, message }) => ({ code, message }))`
    expect(await page.evaluate(login)).toEqual({
      code: 'offline',
      message: `${world.url} cannot be reached, or does not allow requests from ${pages.url}. Check that SYNC_ORIGINS of the server lists that origin. Local data remains available.`,
    })
  })
})
