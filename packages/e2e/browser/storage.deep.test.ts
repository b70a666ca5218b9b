import { glob, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { temporaryFolder } from '../harness/stores.js'
import type { KillableBrowser, OnDiskOptions, Tab } from '../harness/tabs.js'
import { type AppParameters, type NotesServer, openTab, serveNotes } from './app.js'
import { usePages } from './use-pages.js'

const MEBIBYTE = 1024 * 1024
/** Where each browser keeps the files of an origin in its profile. */
const FILES = { Chromium: 'Default/File System', Firefox: 'storage/default/http*/fs' }

const pages = usePages()

const status = (page: Tab) => page.evaluate('device.status.current()')
const refusedWith = (page: Tab, call: string) => page.evaluate(`${call}.then(() => 'stored', ({ code }) => code)`)
const textsOf = (page: Tab, model: string) =>
  page.evaluate(`device.models.${model}.find().then(rows => rows.map(({ text }) => text).toSorted())`)

inEachBrowser(({ kind, test }) => {
  let world: NotesServer | undefined
  let browser: KillableBrowser | undefined
  let profile: ReturnType<typeof temporaryFolder>
  afterEach(async () => {
    await browser?.kill()
    await world?.server.close()
    world = undefined
    profile.remove()
  })

  /** Opens the page in a browser over the profile of the test, the one before it ended. */
  async function openPage(parameters: AppParameters = {}, options: OnDiskOptions = {}): Promise<Tab> {
    if (browser === undefined) profile = temporaryFolder()
    browser = await kind.openOn(profile.path, options)
    return openTab(browser.profile, pages, parameters)
  }

  test('of a full disk a device sends what waits, refuses what does not fit, and loses nothing', async () => {
    world = await serveNotes([pages.url])
    const { notes, url } = world
    const page = await openPage({ server: url }, { quota: 64 * MEBIBYTE })
    await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
    const reported: unknown[] = []
    for (let at = 0, code: unknown; code !== 'storage_full'; at++) {
      expect(at).toBeLessThan(100)
      code = await refusedWith(page, `device.models.Draft.create({ text: '${at} '.padEnd(${MEBIBYTE}, 'x') })`)
      if (code === 'stored') reported.push(`${at} `)
      else expect(code).toBe('storage_full')
    }
    expect(reported.length).toBeGreaterThan(2)
    await page.waitFor(`device.status.current().storage === 'full'`)
    // What the reserve has room for is stored, and sent.
    expect(await refusedWith(page, `device.models.Note.create({ text: 'in the reserve' })`)).toBe('stored')
    notes.set('new', { text: 'from the server' })
    const summary = await page.evaluate('device.sync()')
    expect(summary).toMatchObject({ sources: [{ source: 'Note', error: { code: 'storage_full' } }] })
    expect([...notes.values()].map(({ text }) => text).toSorted()).toEqual(['from the server', 'in the reserve'])
    const heads = `device.models.Draft.find().then(rows => rows.map(({ text }) => text.split('x')[0]))`
    expect(await page.evaluate(heads)).toEqual(reported)
    await page.reload()
    expect(await page.evaluate(heads)).toEqual(reported)
    await browser?.kill()
    const again = await openPage({ server: url })
    expect(await again.evaluate(heads)).toEqual(reported)
    await again.waitFor(
      `device.sync().then(({ sources }) => sources.length > 0 && sources.every(({ error }) => error === undefined))`,
      { every: 1000 },
    )
    expect(await textsOf(again, 'Note')).toEqual(['from the server', 'in the reserve'])
    expect(await status(again)).toMatchObject({ durable: true, waiting: 0 })
  })

  test('a picture that does not fit is refused, and leaves nothing behind', async () => {
    const page = await openPage({}, { quota: 64 * MEBIBYTE })
    await page.evaluate(`device.models.Note.create({ text: 'first' })`)
    const picture = `new Blob([new Uint8Array(${80 * MEBIBYTE})])`
    expect(await refusedWith(page, `device.models.Note.create({ text: 'second', picture: ${picture} })`)).toBe(
      'storage_full',
    )
    expect(await textsOf(page, 'Note')).toEqual(['first'])
    expect(await page.evaluate('navigator.storage.estimate().then(({ usage }) => usage)')).toBeLessThan(40 * MEBIBYTE)
  })

  test('a device whose data the browser removed says how much went with it', async () => {
    const page = await openPage()
    await page.evaluate(`device.models.Note.create({ text: 'unsent' })`)
    await page.waitFor(`document.cookie.includes('=1.')`)
    await browser?.close()
    let removed = 0
    for await (const folder of glob(FILES[kind.name], { cwd: profile.path })) {
      await rm(join(profile.path, folder), { recursive: true })
      removed++
    }
    expect(removed).toBe(1)
    const again = await openPage()
    await again.waitFor(`events.some(({ kind }) => kind === 'error')`)
    expect(await again.evaluate(`events.filter(({ kind }) => kind === 'error').map(({ error }) => error)`)).toEqual([
      { code: 'storage_lost', message: expect.stringContaining('with 1 unsent changes') },
    ])
    await again.reload()
    await again.evaluate('device.models.Note.count()')
    expect(await again.evaluate(`events.filter(({ kind }) => kind === 'error')`)).toEqual([])
  })
})
