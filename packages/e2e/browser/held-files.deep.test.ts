import { afterAll, beforeAll, expect } from '@jest/globals'
import type { StaticServer } from '../harness/browser-bundle.js'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { openTab, servePages } from './app.js'

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

let server: StaticServer
beforeAll(async () => {
  server = await servePages({ 'busy-once': BUSY_ONCE, failing: FAILING })
}, 120_000)
afterAll(async () => {
  await server?.close()
})

const create = (page: Tab, text: string) =>
  page.evaluate(`device.models.Draft.create({ text: ${JSON.stringify(text)} })`)
const texts = (page: Tab) => page.evaluate(`device.models.Draft.find().then(rows => rows.map(row => row.text))`)

inEachBrowser(({ test, newProfile }) => {
  test('a device whose files are still had by another worker keeps them, and opens when they are free', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, server)
    await create(page, 'kept')
    await page.close()
    expect(await texts(await openTab(profile, server, { worker: '/busy-once.js' }))).toEqual(['kept'])
  })

  test('a device that cannot be opened keeps its files', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, server)
    await create(page, 'kept')
    await page.close()
    const failed = await openTab(profile, server, { worker: '/failing.js' })
    expect(await failed.evaluate(`device.models.Draft.find().catch(({ code }) => code)`)).toBe('internal')
    await failed.close()
    expect(await texts(await openTab(profile, server))).toEqual(['kept'])
  })
})
