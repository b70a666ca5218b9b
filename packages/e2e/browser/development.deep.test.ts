import { afterEach, expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { PLAIN_NAME, type Tab } from '../harness/tabs.js'
import { type NotesServer, openTab, serveNotes } from './app.js'
import { usePages } from './use-pages.js'

/** Sends what a worker warns of to its page, through a channel. */
const pages = usePages({
  warning: `console.warn = (...texts) => new BroadcastChannel('warnings').postMessage(texts.join(' '))`,
})
const LISTEN = `window.warnings = []; new BroadcastChannel('warnings').onmessage = ({ data }) => warnings.push(data)`
const worker = '/warning.js'
const places = { worker: `${worker}?places`, places: '' }
let world: NotesServer | undefined
afterEach(async () => {
  await world?.server.close()
  world = undefined
})

const login = `device.login('ada', 'ada').then(() => device.sync()).then(() => 'in', ({ code }) => code)`
const warnings = async (page: Tab) => (await page.evaluate('warnings')) as readonly string[]

inEachBrowser(({ test, newProfile }) => {
  test('a page of this machine is warned once that the server lacks a source', async () => {
    world = await serveNotes([pages.url])
    const page = await openTab(await newProfile(), pages, { server: world.url, ...places }, LISTEN)
    expect(await page.evaluate(login)).toBe('in')
    await page.evaluate('device.sync()')
    await page.waitFor('warnings.length > 0')
    expect(await warnings(page)).toEqual([
      `Godwit: ${world.url}/ has no source "Place", so this model does not sync. Add defineSource({ name: 'Place', … }) to the sources of the server.`,
    ])
    expect(await page.evaluate('device.status.current().sources')).toMatchObject({
      Note: { synced: true, progress: null, error: null, staleSince: null },
      Place: { synced: false, error: { code: 'source_not_found' } },
    })
  })

  test('a page of this machine is warned of an address that answers and is no server of Godwit', async () => {
    const page = await openTab(await newProfile(), pages, { server: pages.url, worker }, LISTEN)
    expect(await page.evaluate(login)).toBe('offline')
    expect(await page.evaluate(login)).toBe('offline')
    await page.waitFor('warnings.length > 0')
    expect(await warnings(page)).toEqual([
      expect.stringMatching(`^Godwit: ${pages.url}/ responds, but is not a Godwit server: status 404, text/html`),
    ])
  })

  test('a page over plain http is warned that its data is in memory, and why', async () => {
    const { port } = new URL(pages.url)
    const plain = { url: `http://${PLAIN_NAME}:${port}` }
    const page = await openTab(await newProfile(), plain, { worker }, LISTEN)
    await page.evaluate('device.models.Draft.count()')
    await page.waitFor('warnings.length > 0')
    expect(await warnings(page)).toEqual([
      'Godwit: Data is stored in memory only and is lost when this page closes: the page was loaded over plain http; open it over https or from localhost.',
    ])
  })
})
