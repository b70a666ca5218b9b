import { join } from 'node:path'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import type { StaticServer } from '../harness/browser-bundle.js'
import { type MortalBrowser, openMortalBrowser } from '../harness/mortal-browser.js'
import { temporaryFolder } from '../harness/stores.js'
import { type NotesServer, openTab, serveNotes, servePages } from './app.js'

const chromium = findChromium() ?? ''
const inBrowser = chromium === '' ? test.skip : test

const REFUSED = `
StorageManager.prototype.getDirectory = async () => {
  throw new DOMException('refused', 'SecurityError')
}`

let browser: Browser
let pages: StaticServer
let world: NotesServer | undefined
let context: BrowserContext | undefined
beforeAll(async () => {
  if (chromium === '') return
  pages = await servePages({ refused: REFUSED })
  browser = await openBrowser(chromium)
}, 120_000)
afterEach(async () => {
  await context?.close()
  context = undefined
  await world?.server.close()
  world = undefined
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

const texts = (page: Page, model = 'Draft') =>
  page.evaluate(`device.models.${model}.find().then(rows => rows.map(({ text }) => text).toSorted())`)

/** Numbers between 0 and 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const KILLS = 8

inBrowser(
  'what a page was told to be stored outlives a browser that is killed at random again and again, once each',
  async () => {
    const profile = temporaryFolder()
    const random = seeded(7)
    const store = () => openSqliteStore(join(profile.path, 'server.sqlite'))
    world = await serveNotes([pages.url], { store: await store() })
    const { notes, url } = world
    const told = new Set<string>()
    let mortal: MortalBrowser | undefined
    const start = async (): Promise<Page> => {
      mortal = await openMortalBrowser(chromium, profile.path)
      const [first] = mortal.browser.contexts()
      if (!first) throw new Error('expected a context of the browser')
      return openTab(first, pages, { server: url })
    }
    try {
      const page = await start()
      await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
      await mortal?.kill()
      await world.server.close()
      for (let round = 0; round < KILLS; round++) {
        const page = await start()
        const before = new Set((await texts(page, 'Note')) as string[])
        expect([...told].filter(text => !before.has(text))).toEqual([])
        let isOver = false
        const writes = (async () => {
          for (let at = 0; !isOver; at++) {
            const text = `${round} ${at}`
            await page.evaluate(`device.models.Note.create({ text: '${text}' }).then(() => 0)`)
            told.add(text)
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
      expect([...told].filter(text => !here.includes(text))).toEqual([])
      await again.waitForFunction('device.sync().then(() => device.status.current().waiting === 0)', undefined, {
        polling: 500,
      })
      expect([...notes.values()].map(({ text }) => text).toSorted()).toEqual(here)
    } finally {
      await mortal?.kill()
      profile.remove()
    }
  },
  240_000,
)

inBrowser('where the origin refuses files, a device is in memory, and says so once', async () => {
  context = await browser.newContext()
  const page = await openTab(context, pages, { worker: '/refused.js' })
  await page.evaluate(`device.models.Draft.create({ text: 'in memory' })`)
  expect(await texts(page)).toEqual(['in memory'])
  expect(await page.evaluate('device.status.current()')).toMatchObject({ storage: 'memory', durable: false })
  const told = await page.evaluate('events.filter(({ kind }) => kind === "error").map(({ error }) => error.message)')
  expect(told).toEqual([expect.stringMatching(/^Data is kept in memory/)])
})

inBrowser('an old tab lets a newer release have the device, keeps nothing back, and is told to reload', async () => {
  context = await browser.newContext()
  const old = await openTab(context, pages, { release: '1', worker: '/worker.js?release=1' })
  await old.evaluate(`device.models.Draft.create({ text: 'by the old one' })`)
  const newer = await openTab(context, pages, { release: '2', worker: '/worker.js?release=2' })
  expect(await texts(newer)).toEqual(['by the old one'])
  expect(await newer.evaluate('device.status.current().role')).toBe('owner')
  await newer.evaluate(`device.models.Draft.create({ text: 'by the newer one' })`)
  await newer.close()
  const create = `device.models.Draft.create({ text: 'too old' }).then(() => 'stored', ({ code }) => code)`
  expect(await old.evaluate(create)).toBe('reload_needed')
  const last = await openTab(context, pages, { release: '2', worker: '/worker.js?release=2' })
  expect(await texts(last)).toEqual(['by the newer one', 'by the old one'])
})

inBrowser('where the server does not allow the origin of the page, the error says so', async () => {
  world = await serveNotes([])
  context = await browser.newContext()
  const page = await openTab(context, pages, { server: world.url })
  const login = `device.login('ada', 'ada').catch(({ code, message }) => ({ code, message }))`
  expect(await page.evaluate(login)).toEqual({
    code: 'offline',
    message: `${world.url} cannot be reached, or does not allow pages of ${pages.url}: expected that origin in SYNC_ORIGINS of the server. Data stays usable.`,
  })
})
