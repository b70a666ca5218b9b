import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import type { StaticServer } from '../harness/browser-bundle.js'
import { type MortalBrowser, openMortalBrowser } from '../harness/mortal-browser.js'
import { type NotesServer, openTab, serveNotes, servePages } from './app.js'

const chromium = findChromium() ?? ''
const inBrowser = chromium === '' ? test.skip : test

let browser: Browser
let pages: StaticServer
let world: NotesServer
const contexts: BrowserContext[] = []
beforeAll(async () => {
  if (chromium === '') return
  pages = await servePages()
  browser = await openBrowser(chromium)
}, 120_000)
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  await world?.server.close()
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

async function device(url = world.url): Promise<Page> {
  const context = await browser.newContext()
  contexts.push(context)
  return openTab(context, pages, { server: url })
}

const login = (page: Page) => page.evaluate(`device.login('ada', 'ada')`)
const count = (page: Page) => page.evaluate('device.models.Note.count()')

inBrowser('devices of two browsers sync with a server of another origin, files too', async () => {
  world = await serveNotes([pages.url])
  const [first, second] = [await device(), await device()]
  await login(first)
  await login(second)
  await second.evaluate(
    `window.seen = []; device.models.Note.observe({}, rows => { seen.push(rows.map(row => row.text).join()) }); 0`,
  )
  await first.evaluate(
    `device.models.Note.create({ text: 'by train', picture: new File(['a picture'], 'a.txt', { type: 'text/plain' }) }).then(() => device.sync())`,
  )
  expect([...world.notes.values()]).toMatchObject([{ text: 'by train' }])
  await second.evaluate('device.sync()')
  expect(await second.evaluate('device.models.Note.find()')).toMatchObject([{ text: 'by train' }])
  await second.waitForFunction(`seen.at(-1) === 'by train'`)
  const shown = `device.models.Note.first().then(row => device.blobUrl(row.picture)).then(url => url && fetch(url)).then(answer => answer?.text())`
  expect(await first.evaluate(shown)).toBe('a picture')
  expect(await second.evaluate(shown)).toBe('a picture')
  expect(await first.evaluate('events.filter(({ kind }) => kind === "error")')).toEqual([])
})

inBrowser('a page that is reloaded in the middle of a sync goes on, and has each row once', async () => {
  const many = new Map(Array.from({ length: 12_000 }, (_, at) => [`n${at}`, { text: `note ${at}` }] as const))
  world = await serveNotes([pages.url], { notes: many })
  const page = await device()
  await login(page)
  for (let reload = 0; reload < 3; reload++) {
    const [before] = [Number(await count(page))]
    await page.waitForFunction(`device.models.Note.count().then(count => count === 12000 || count > ${before})`)
    await page.reload()
  }
  await page.waitForFunction('device.models.Note.count().then(count => count === 12000)')
  await page.evaluate('device.sync()')
  expect(await count(page)).toBe(12_000)
  expect(await page.evaluate('device.changes()')).toEqual([])
})

inBrowser(
  'what a page was told to be stored outlives a browser that is killed while there is no network, and is sent',
  async () => {
    const profile = mkdtempSync(join(tmpdir(), 'godwit-profile-'))
    const store = () => openSqliteStore(join(profile, 'server.sqlite'))
    world = await serveNotes([pages.url], { store: await store() })
    const { notes, url } = world
    let mortal: MortalBrowser | undefined
    const start = async (): Promise<Page> => {
      mortal = await openMortalBrowser(chromium, profile)
      const [context] = mortal.browser.contexts()
      if (!context) throw new Error('expected a context of the browser')
      return openTab(context, pages, { server: url })
    }
    try {
      const page = await start()
      await login(page)
      await page.evaluate('device.sync()')
      await world.server.close()
      const told: unknown[] = []
      for (let at = 0; at < 5; at++)
        told.push(await page.evaluate(`device.models.Note.create({ text: 'offline ${at}' }).then(row => row.text)`))
      await mortal?.kill()
      const again = await start()
      const texts = `device.models.Note.find().then(rows => rows.map(row => row.text).toSorted())`
      expect(await again.evaluate(texts)).toEqual(told)
      world = await serveNotes([pages.url], { store: await store(), notes, port: Number(new URL(url).port) })
      await again.evaluate('device.sync()')
      expect([...notes.values()].map(({ text }) => text).toSorted()).toEqual(told)
      expect(await again.evaluate(texts)).toEqual(told)
    } finally {
      await mortal?.kill()
      rmSync(profile, { recursive: true, force: true })
    }
  },
)
