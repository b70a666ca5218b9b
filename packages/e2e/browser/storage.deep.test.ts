import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import type { StaticServer } from '../harness/browser-bundle.js'
import { openTab, servePages } from './app.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test

/** The fifth handle that is asked for is still had by another worker. */
const BUSY_ONCE = `
const create = FileSystemFileHandle.prototype.createSyncAccessHandle
let asked = 0
FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
  if (++asked === 5) throw new DOMException('another worker has it', 'NoModificationAllowedError')
  return create.call(this)
}`

/** Each handle that is asked for fails, for no reason that is known. */
const FAILING = `
FileSystemFileHandle.prototype.createSyncAccessHandle = async function () {
  throw new DOMException('no handle', 'UnknownError')
}`

let browser: Browser
let server: StaticServer
let context: BrowserContext
beforeAll(async () => {
  if (chromium === undefined) return
  server = await servePages({ 'busy-once': BUSY_ONCE, failing: FAILING })
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

inBrowser('a device whose files are still had by another worker keeps them, and opens when they are free', async () => {
  context = await browser.newContext()
  const page = await openTab(context, server)
  await create(page, 'kept')
  await page.close()
  expect(await texts(await openTab(context, server, { worker: '/busy-once.js' }))).toEqual(['kept'])
})

inBrowser('a device that cannot be opened keeps its files', async () => {
  context = await browser.newContext()
  const page = await openTab(context, server)
  await create(page, 'kept')
  await page.close()
  const failed = await openTab(context, server, { worker: '/failing.js' })
  expect(await failed.evaluate(`device.models.Draft.find().catch(({ code }) => code)`)).toBe('internal')
  await failed.close()
  expect(await texts(await openTab(context, server))).toEqual(['kept'])
})
