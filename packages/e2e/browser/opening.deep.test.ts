import { until } from '@godwit/testing'
import { expect } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { useChromium } from '../harness/use-chromium.js'
import { usePages } from './use-pages.js'

/** Counts what is read of files, the logs that are emptied, and how often the folder of all devices is looked up. */
const COUNTING = `
globalThis.counts = { bytes: 0, emptied: 0, lookUps: 0 }
const { getDirectoryHandle } = FileSystemDirectoryHandle.prototype
FileSystemDirectoryHandle.prototype.getDirectoryHandle = function (name, options) {
  if (name === 'godwit') counts.lookUps++
  return getDirectoryHandle.call(this, name, options)
}
const { read, truncate } = FileSystemSyncAccessHandle.prototype
FileSystemSyncAccessHandle.prototype.read = function (...given) {
  const bytes = read.apply(this, given)
  counts.bytes += bytes
  return bytes
}
FileSystemSyncAccessHandle.prototype.truncate = function (bytes) {
  if (this.getSize() > 65536 && bytes <= 4096) counts.emptied++
  return truncate.call(this, bytes)
}`

const { test, newContext } = useChromium()
const pages = usePages({ counting: COUNTING })

const ROWS = 20_000
async function openPage(context: BrowserContext, worker = '/worker.js'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${pages.url}/?worker=${worker}`)
  return page
}
const count = (page: Page) => page.evaluate('device.models.Draft.count()')
const inWorker = <T>(page: Page, expression: string) => page.workers()[0]?.evaluate(expression) as Promise<T>

test('a device that came to rest reads no logs when it is opened again', async () => {
  const context = await newContext()
  const page = await openPage(context, '/counting.js')
  const texts = `Array.from({ length: ${ROWS} }, (_, at) => 'row ' + at)`
  expect(await page.evaluate(`device.actions.addAll(${texts})`)).toBe(ROWS)
  await until(async () => (await inWorker<number>(page, 'counts.emptied')) > 0)
  await page.reload()
  expect(await page.evaluate('device.models.Draft.first({}).then(row => row !== undefined)')).toBe(true)
  expect(await inWorker<number>(page, 'counts.bytes')).toBeLessThan(300_000)
  expect(await count(page)).toBe(ROWS)
})

test('an opening looks up the folder of a device once', async () => {
  const context = await newContext()
  const page = await openPage(context, '/counting.js')
  expect(await count(page)).toBe(0)
  expect(await inWorker(page, 'counts.lookUps')).toBe(1)
})

test('a page starts its worker before it has any lock', async () => {
  const context = await newContext()
  const page = await context.newPage()
  await page.addInitScript('LockManager.prototype.request = () => new Promise(() => {})')
  await page.goto(`${pages.url}/?worker=/worker.js`)
  await until(async () => page.workers().length === 1)
})

/** Lets a page greet its worker once, before it tells that one what to open; counts the greetings that it holds back. */
const GREET_ONCE = `
globalThis.told = []
globalThis.heldBack = 0
const { postMessage } = Worker.prototype
Worker.prototype.postMessage = function (message, ...given) {
  const kind = message.godwit ?? message.owner
  if (kind === 'hello' && told.includes('hello')) heldBack++
  else {
    told.push(kind)
    postMessage.call(this, message, ...given)
  }
}`

test('a greeting that arrives before the device is open is answered once it is', async () => {
  const context = await newContext()
  const page = await context.newPage()
  await page.addInitScript(GREET_ONCE)
  await page.goto(`${pages.url}/?worker=/worker.js`)
  await page.evaluate("device.models.Draft.create({ text: 'a' }).then(() => 0)")
  expect(await count(page)).toBe(1)
  expect(await page.evaluate('told.slice(0, 2)')).toEqual(['hello', 'open'])
  expect(await page.evaluate('heldBack')).toBeGreaterThan(0)
})

test('a guest has its worker ready before the owner is closed, and goes on with that one', async () => {
  const context = await newContext()
  const first = await openPage(context)
  expect(await count(first)).toBe(0)
  const second = await openPage(context)
  expect(await count(second)).toBe(0)
  await until(async () => second.workers().length === 1)
  const [ready] = second.workers()
  await ready?.evaluate('globalThis.isTheFirst = true')
  await first.close()
  expect(await count(second)).toBe(0)
  expect(second.workers()).toHaveLength(1)
  expect(await inWorker(second, 'globalThis.isTheFirst')).toBe(true)
})

test('a page that closes its device leaves no worker behind', async () => {
  const context = await newContext()
  const first = await openPage(context)
  expect(await count(first)).toBe(0)
  const second = await openPage(context)
  expect(await count(second)).toBe(0)
  await second.evaluate('device.close()')
  await first.evaluate('device.close()')
  await until(async () => second.workers().length + first.workers().length === 0)
})
