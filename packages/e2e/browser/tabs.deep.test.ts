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
  expect([await roleOf(first), await roleOf(second)]).toEqual(['owner', 'guest'])
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

inBrowser('an owner that is frozen lets go, and is a guest when it comes back', async () => {
  context = await browser.newContext()
  const first = await openTab(context, server)
  await create(first, 'a')
  const second = await openTab(context, server)
  expect(await texts(second)).toEqual(['a'])
  await first.evaluate(`document.dispatchEvent(new Event('freeze'))`)
  await create(second, 'b')
  expect(await roleOf(second)).toBe('owner')
  await first.evaluate(`document.dispatchEvent(new Event('resume'))`)
  expect(await texts(first)).toEqual(['a', 'b'])
  await create(first, 'c')
  expect(await texts(second)).toEqual(['a', 'b', 'c'])
})

const SLOW_PAGE_LOCK = `
const request = LockManager.prototype.request
LockManager.prototype.request = async function (name, ...rest) {
  if (name.includes(':page:')) await new Promise(resolve => setTimeout(resolve, 500))
  return request.call(this, name, ...rest)
}`

inBrowser('a page whose lock comes late is not taken for gone', async () => {
  context = await browser.newContext()
  const first = await openTab(context, server)
  await create(first, 'a')
  await context.addInitScript(SLOW_PAGE_LOCK)
  const second = await openTab(context, server)
  expect(await texts(second)).toEqual(['a'])
  await create(second, 'b')
  expect(await texts(second)).toEqual(['a', 'b'])
})

const STEAL_PAGE_LOCKS = `navigator.locks.query().then(async ({ held }) => {
  for (const { name } of held.filter(({ name }) => name.includes(':page:')))
    await navigator.locks.request(name, { steal: true }, () => {})
})`

inBrowser('a page that was taken for gone is served again, its live queries too', async () => {
  context = await browser.newContext()
  const first = await openTab(context, server)
  await create(first, 'a')
  const second = await openTab(context, server)
  await second.evaluate(
    `window.seen = []; device.models.Draft.observe({}, rows => { seen.push(rows.map(row => row.text).toSorted().join()) }); 0`,
  )
  await second.waitForFunction(`seen.at(-1) === 'a'`)
  await first.evaluate(STEAL_PAGE_LOCKS)
  await create(second, 'b')
  expect(await texts(second)).toEqual(['a', 'b'])
  await create(first, 'c')
  await second.waitForFunction(`seen.at(-1) === 'a,b,c'`)
})

const NO_FILES = `Object.defineProperty(StorageManager.prototype, 'getDirectory', { value: undefined })`

inBrowser('without private files a device is in memory, and says so', async () => {
  context = await browser.newContext()
  await context.addInitScript(NO_FILES)
  const page = await openTab(context, server)
  await create(page, 'in memory')
  expect(await texts(page)).toEqual(['in memory'])
  expect(await page.evaluate('device.status.current()')).toMatchObject({ storage: 'memory', durable: false })
  const told = await page.evaluate('events.filter(({ kind }) => kind === "error").map(({ error }) => error.message)')
  expect(told).toEqual([
    expect.stringMatching(/^Data is kept in memory and gone with this page: .* no private files\.$/),
  ])
  await page.reload()
  expect(await texts(page)).toEqual([])
})

inBrowser('where data has to be kept, calls fail with the reason', async () => {
  context = await browser.newContext()
  await context.addInitScript(NO_FILES)
  const page = await openTab(context, server, { require: '1' })
  const failed = `device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`
  expect(await page.evaluate(failed)).toEqual({
    code: 'database_failed',
    message: 'This page cannot keep data on this device: this browser keeps no private files.',
  })
})
