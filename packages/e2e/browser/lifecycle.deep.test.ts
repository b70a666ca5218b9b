import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import type { StaticServer } from '../harness/browser-bundle.js'
import { servePages } from './app.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test

let browser: Browser
let pages: StaticServer
let context: BrowserContext
beforeAll(async () => {
  if (chromium === undefined) return
  pages = await servePages()
  browser = await openBrowser(chromium)
}, 120_000)
afterEach(async () => {
  await context?.close()
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

async function openPage(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${pages.url}/`)
  return page
}
const add = (page: Page, text: string) => page.evaluate(`device.models.Draft.create({ text: '${text}' })`)
const texts = (page: Page) =>
  page.evaluate('device.models.Draft.find().then(rows => rows.map(({ text }) => text).toSorted())')
const roleOf = (page: Page) => page.evaluate('device.status.current().role')

inBrowser('the tab beside an owner that crashed goes on with all that was stored', async () => {
  context = await browser.newContext()
  const [first, second] = [await openPage(), await openPage()]
  await add(first, 'a')
  expect(await texts(second)).toEqual(['a'])
  await add(first, 'b')
  const session = await context.newCDPSession(first)
  // The tab goes before it answers.
  void session.send('Page.crash').catch(() => {})
  expect(await texts(second)).toEqual(['a', 'b'])
  await add(second, 'c')
  expect(await roleOf(second)).toBe('owner')
  expect(await texts(second)).toEqual(['a', 'b', 'c'])
})

const HIDE = `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
document.dispatchEvent(new Event('visibilitychange'))`

inBrowser('an owner that is hidden goes on for the tab that is seen', async () => {
  context = await browser.newContext()
  const [first, second] = [await openPage(), await openPage()]
  await add(first, 'a')
  await first.evaluate(HIDE)
  await add(second, 'b')
  expect([await roleOf(first), await roleOf(second)]).toEqual(['owner', 'guest'])
  expect(await texts(first)).toEqual(['a', 'b'])
})

inBrowser(
  'the tab beside an owner that is frozen goes on, and the thawed one has what was stored meanwhile',
  async () => {
    context = await browser.newContext()
    const [first, second] = [await openPage(), await openPage()]
    await add(first, 'a')
    expect(await texts(second)).toEqual(['a'])
    const session = await context.newCDPSession(first)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await add(second, 'b')
    expect(await texts(second)).toEqual(['a', 'b'])
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await add(first, 'c')
    expect(await texts(first)).toEqual(['a', 'b', 'c'])
    expect(await texts(second)).toEqual(['a', 'b', 'c'])
  },
)
