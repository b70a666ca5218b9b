import { afterEach, expect, test } from '@jest/globals'
import { type BrowserContext, chromium as chromiumType, type Page } from 'playwright-core'
import { findChromium, QUIET_FLAGS } from '../harness/browser.js'
import { temporaryFolder } from '../harness/stores.js'
import { type AppParameters, type NotesServer, serveNotes } from './app.js'
import { usePages } from './use-pages.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test

const pages = usePages()
let context: BrowserContext
let world: NotesServer | undefined
let profile: ReturnType<typeof temporaryFolder> | undefined
afterEach(async () => {
  await context?.close()
  await world?.server.close()
  world = undefined
  profile?.remove()
  profile = undefined
})

const MEBIBYTE = 1024 * 1024

/** A profile on disk: the quota of a private window cannot be set. */
async function onDisk(): Promise<BrowserContext> {
  profile = temporaryFolder()
  return chromiumType.launchPersistentContext(profile.path, { executablePath: chromium ?? '', args: QUIET_FLAGS })
}

async function openPage(parameters: AppParameters = {}): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${pages.url}/?${new URLSearchParams(parameters)}`)
  return page
}

/** Gives the origin so much room in this profile. */
async function setQuota(page: Page, quotaSize: number): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: pages.url, quotaSize })
}

const status = (page: Page) => page.evaluate('device.status.current()')
const refusedWith = (page: Page, call: string) => page.evaluate(`${call}.then(() => 'stored', ({ code }) => code)`)

inBrowser('of a full disk a device sends what waits, refuses what does not fit, and loses nothing', async () => {
  world = await serveNotes([pages.url])
  const { notes } = world
  context = await onDisk()
  const page = await openPage({ server: world.url })
  await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
  await setQuota(page, 64 * MEBIBYTE)
  const told: unknown[] = []
  for (let at = 0, code: unknown; code !== 'storage_full'; at++) {
    expect(at).toBeLessThan(100)
    code = await refusedWith(page, `device.models.Draft.create({ text: '${at} '.padEnd(${MEBIBYTE}, 'x') })`)
    if (code === 'stored') told.push(`${at} `)
    else expect(code).toBe('storage_full')
  }
  expect(told.length).toBeGreaterThan(2)
  await page.waitForFunction(`device.status.current().storage === 'full'`)
  // What the reserve has room for is stored, and sent.
  expect(await refusedWith(page, `device.models.Note.create({ text: 'in the reserve' })`)).toBe('stored')
  notes.set('new', { text: 'from the server' })
  const summary = await page.evaluate('device.sync()')
  expect(summary).toMatchObject({ sources: [{ source: 'Note', error: { code: 'storage_full' } }] })
  expect([...notes.values()].map(({ text }) => text).toSorted()).toEqual(['from the server', 'in the reserve'])
  const heads = `device.models.Draft.find().then(rows => rows.map(({ text }) => text.split('x')[0]))`
  expect(await page.evaluate(heads)).toEqual(told)
  await page.reload()
  expect(await page.evaluate(heads)).toEqual(told)
  await setQuota(page, 1024 * MEBIBYTE)
  // A function that is waited for is not awaited: the page itself asks until there is room.
  await page.evaluate(`(async () => {
    for (;;) {
      const { sources } = await device.sync()
      if (sources.length > 0 && sources.every(({ error }) => error === undefined)) return
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  })()`)
  expect(
    await page.evaluate(`device.models.Note.find().then(rows => rows.map(({ text }) => text).toSorted())`),
  ).toEqual(['from the server', 'in the reserve'])
  expect(await status(page)).toMatchObject({ durable: true, waiting: 0 })
})

inBrowser('a picture that does not fit is refused, and leaves nothing behind', async () => {
  world = await serveNotes([pages.url])
  context = await onDisk()
  const page = await openPage({ server: world.url })
  await page.evaluate(`device.models.Note.create({ text: 'first' })`)
  await setQuota(page, 64 * MEBIBYTE)
  const create = `device.models.Note.create({ text: 'second', picture: new Blob([new Uint8Array(${80 * MEBIBYTE})]) })`
  expect(await refusedWith(page, create)).toBe('storage_full')
  expect(await page.evaluate(`device.models.Note.find().then(rows => rows.map(({ text }) => text))`)).toEqual(['first'])
  expect(await page.evaluate('navigator.storage.estimate().then(({ usage }) => usage)')).toBeLessThan(40 * MEBIBYTE)
})

inBrowser('a device whose data the browser removed says how much went with it', async () => {
  context = await onDisk()
  const page = await openPage()
  await page.evaluate(`device.models.Note.create({ text: 'unsent' })`)
  await page.waitForFunction(`document.cookie.includes('=1.')`)
  await page.close()
  const session = await context.newCDPSession(await context.newPage())
  await session.send('Storage.clearDataForOrigin', { origin: pages.url, storageTypes: 'file_systems' })
  const again = await openPage()
  await again.waitForFunction(`events.some(({ kind }) => kind === 'error')`)
  expect(await again.evaluate(`events.filter(({ kind }) => kind === 'error').map(({ error }) => error)`)).toEqual([
    { code: 'storage_lost', message: expect.stringContaining('with 1 unsent changes') },
  ])
  await again.reload()
  await again.evaluate('device.models.Note.count()')
  expect(await again.evaluate(`events.filter(({ kind }) => kind === 'error')`)).toEqual([])
})
