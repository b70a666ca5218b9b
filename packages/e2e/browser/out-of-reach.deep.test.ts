import { createServer, type Server } from 'node:http'
import { afterEach, expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { PLAIN_NAME, type Tab } from '../harness/tabs.js'
import { type NotesServer, openTab, serveNotes } from './app.js'
import { usePages } from './use-pages.js'

const pages = usePages()
let world: NotesServer | undefined
let portal: Server | undefined
afterEach(async () => {
  await world?.server.close()
  world = undefined
  await endPortal()
})

/** A network that answers each request with its own page, as before somebody agrees to its terms. */
async function startPortal(port: number): Promise<void> {
  const server = createServer((_, response) =>
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization, content-type, x-sync-client-id',
      })
      .end('<!doctype html><title>Welcome</title>'),
  )
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  portal = server
}

async function endPortal(): Promise<void> {
  const server = portal
  portal = undefined
  server?.closeAllConnections()
  await new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()))
}

const login = (page: Tab) => page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
const add = (page: Tab, text: string) =>
  page.evaluate(`device.models.Note.create({ text: '${text}' }).then(row => row.text)`)
const texts = (page: Tab) =>
  page.evaluate(`device.models.Note.find().then(rows => rows.map(({ text }) => text).toSorted())`)
const backend = () => [...(world?.notes.values() ?? [])].map(({ text }) => text).toSorted()
const codes = `device.sync().then(({ sources }) => sources.map(({ error }) => error?.code), ({ code }) => [code])`
const allSent = (page: Tab) =>
  page.waitFor(`device.sync().then(() => device.status.current().waiting === 0, () => false)`, {
    every: 500,
    within: 60_000,
  })

inEachBrowser(({ test, newProfile }) => {
  test('a page goes on while its server is gone, and sends what waits when it is there again', async () => {
    world = await serveNotes([pages.url])
    const { notes, url, store } = world
    const page = await openTab(await newProfile(), pages, { server: url })
    await login(page)
    await add(page, 'before')
    await allSent(page)
    await world.server.close()
    expect(await add(page, 'while it is gone')).toBe('while it is gone')
    expect(await page.evaluate(codes)).toEqual(['offline'])
    expect(await page.evaluate('device.status.current().waiting')).toBe(1)
    world = await serveNotes([pages.url], { notes, store, port: Number(new URL(url).port) })
    await allSent(page)
    expect(backend()).toEqual(['before', 'while it is gone'])
    expect(await texts(page)).toEqual(backend())
  })

  test('a network that answers with its own page is taken for offline, and loses no change', async () => {
    world = await serveNotes([pages.url])
    const { notes, url, store } = world
    const port = Number(new URL(url).port)
    const page = await openTab(await newProfile(), pages, { server: url })
    await login(page)
    await world.server.close()
    await startPortal(port)
    await add(page, 'behind the portal')
    expect(await page.evaluate(codes)).toEqual(['offline'])
    const newcomer = await openTab(await newProfile(), pages, { server: url })
    const failed = await newcomer.evaluate(
      `device.login('ada', 'ada').catch(({ code, message }) => ({ code, message }))`,
    )
    expect(failed).toEqual({ code: 'offline', message: expect.stringContaining('the sign-in page of a Wi-Fi hotspot') })
    await endPortal()
    world = await serveNotes([pages.url], { notes, store, port })
    await allSent(page)
    expect(backend()).toEqual(['behind the portal'])
    expect(await texts(page)).toEqual(backend())
  })

  test('a page that came over plain http has its device in memory, and says why', async () => {
    const plain = { url: pages.url.replace('127.0.0.1', PLAIN_NAME) }
    const page = await openTab(await newProfile(), plain)
    await page.evaluate(`device.models.Draft.create({ text: 'plain' })`)
    expect(await page.evaluate('device.models.Draft.count()')).toBe(1)
    expect(await page.evaluate('isSecureContext')).toBe(false)
    expect(await page.evaluate('device.status.current()')).toMatchObject({ storage: 'memory', durable: false })
    const told = await page.evaluate('events.filter(({ kind }) => kind === "error").map(({ error }) => error.message)')
    expect(told).toEqual([expect.stringContaining('the page was loaded over plain http; open it over https')])
  })
})
