import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import type { StaticServer } from '../harness/browser-bundle.js'
import { openTab, servePages } from './app.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test

let browser: Browser
let server: StaticServer
let context: BrowserContext
beforeAll(async () => {
  if (chromium === undefined) return
  server = await servePages()
  browser = await openBrowser(chromium)
}, 120_000)
afterEach(async () => {
  await context?.close()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const create = (page: Page, text: string) =>
  page.evaluate(`device.models.Draft.create({ text: ${JSON.stringify(text)} })`)
const texts = (page: Page) =>
  page.evaluate(`device.models.Draft.find({ order: { text: 'asc' } }).then(rows => rows.map(row => row.text))`)
const roleOf = (page: Page) => page.evaluate('device.status.current().role')

inBrowser('rows are there after a reload, on disk', async () => {
  context = await browser.newContext()
  const page = await openTab(context, server)
  await create(page, 'kept')
  expect(await page.evaluate('device.actions.addAll(["one", "two"])')).toBe(2)
  expect(await page.evaluate('device.status.current()')).toMatchObject({ role: 'owner', durable: true, problem: null })
  await page.reload()
  expect(await texts(page)).toEqual(['kept', 'one', 'two'])
})

inBrowser('two tabs see the rows of each other, and when the owner is closed the other goes on', async () => {
  context = await browser.newContext()
  const first = await openTab(context, server)
  await create(first, 'a')
  const second = await openTab(context, server)
  await second.evaluate(
    `window.seen = []; device.models.Draft.observe({}, rows => { seen.push(rows.map(row => row.text).toSorted().join()) }); 0`,
  )
  expect(await texts(second)).toEqual(['a'])
  expect([await roleOf(first), await roleOf(second)]).toEqual(['owner', expect.stringMatching('guest|opening')])
  await create(first, 'b')
  await second.waitForFunction(`seen.at(-1) === 'a,b'`)
  await create(second, 'c')
  expect(await texts(first)).toEqual(['a', 'b', 'c'])
  await first.close()
  expect(await texts(second)).toEqual(['a', 'b', 'c'])
  expect(await roleOf(second)).toBe('owner')
  await create(second, 'd')
  await second.waitForFunction(`seen.at(-1) === 'a,b,c,d'`)
})

inBrowser('of five tabs opened at once each answers, and nothing is doubled', async () => {
  context = await browser.newContext()
  const tabs = await Promise.all(Array.from({ length: 5 }, () => openTab(context, server)))
  await Promise.all(tabs.map((tab, at) => create(tab, `from ${at}`)))
  const expected = tabs.map((_, at) => `from ${at}`)
  for (const tab of tabs) expect(await texts(tab)).toEqual(expected)
})
