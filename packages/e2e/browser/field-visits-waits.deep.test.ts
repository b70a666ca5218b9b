import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { accessibilityProblems } from '../harness/accessibility.js'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import { type BlockedServer, holdServer } from './held-server.js'
import { landscape, openProfile, visitsPage } from './visits-page.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test
const PATIENCE = { timeout: 120_000 }
const PULLS = /\/(City|Visit)\/pull/
/** A browser that has no private files. */
const NO_FILES = 'StorageManager.prototype.getDirectory = undefined'

const folder = temporaryFolder()
let server: BlockedServer
let context: BrowserContext | undefined
let page: Page

beforeAll(async () => {
  if (chromium === undefined) return
  server = await holdServer((await startServer({ store: 'memory:' })).url)
}, 120_000)
afterAll(async () => {
  await context?.close()
  server?.close()
  await endAll()
  folder.remove()
})

async function open(name: string): Promise<void> {
  await context?.close()
  context = await openProfile(chromium ?? '', folder.path, name)
  page = await context.newPage()
}

const waitForText = (text: string) => page.getByText(text).first().waitFor(PATIENCE)

inBrowser(
  'a wrong password, a server that fails and one that is gone are told apart',
  async () => {
    await open('sign-in')
    const app = visitsPage(page)
    await page.goto(server.url)
    await page.getByLabel('Password').fill('wrong')
    await app.signIn()
    await waitForText('Wrong password. In this demo, the password of ada is “ada”.')
    await page.getByLabel('Password').fill('ada')
    server.refuse(/\/login/)
    await app.signIn()
    await waitForText('The server has a problem. No data is lost. Try again in a moment.')
    expect(await accessibilityProblems(page)).toEqual([])
    server.release()
    await page.context().route('**/login', route => route.abort())
    await app.signIn()
    await waitForText('The server cannot be reached. It is needed only to sign in.')
    await page.context().unroute('**/login')
  },
  300_000,
)

inBrowser(
  'cities and visits that have not arrived are waited for in words',
  async () => {
    const app = visitsPage(page)
    server.hold(PULLS)
    await app.signIn()
    await waitForText('cities so far: the server is preparing them')
    await waitForText('Your visits are on their way.')
    expect(await page.locator('.counter strong').textContent()).toBe('0')
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Your visits ')
    expect(await accessibilityProblems(page)).toEqual([])
    server.release()
    await waitForText('No visits yet.')
    await page.locator('.counter').filter({ hasText: 'cities on this device' }).waitFor(PATIENCE)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await open('failing')
    await page.goto(server.url)
    server.refuse(PULLS, 502)
    await visitsPage(page).signIn()
    await waitForText('cities: they will arrive once the server works again')
    await waitForText('Your visits will arrive once the server works again.')
    await waitForText('The server is returning errors. This device tries again automatically.')
    expect(await accessibilityProblems(page)).toEqual([])
    server.release()
    await waitForText('No visits yet.')
    await page.locator('.notice').waitFor({ state: 'detached', ...PATIENCE })
  },
  300_000,
)

inBrowser(
  'a server that takes no photo has a problem, and the connection is not blamed',
  async () => {
    const app = visitsPage(page)
    await app.find('lisbon')
    server.refuse(/\/blobs/, 500)
    await app.add({ city: 'lisbon', note: 'with a photo', photo: await landscape(page, 200) })
    await waitForText(
      'The server is returning errors. Your changes are stored on this device and will be sent again automatically.',
    )
    await app.waitForNote('Server error · 1 waiting')
    expect(await accessibilityProblems(page)).toEqual([])
    server.release()
    await page.locator('.badge').waitFor({ state: 'detached', ...PATIENCE })
    await page.locator('.notice').waitFor({ state: 'detached', ...PATIENCE })
    await app.waitForNote('Up to date')
  },
  300_000,
)

inBrowser(
  'a window that keeps nothing says so',
  async () => {
    await open('memory')
    await page.addInitScript(NO_FILES)
    await page.goto(server.url)
    await visitsPage(page).signIn()
    await waitForText('This window cannot store data')
    expect(await accessibilityProblems(page)).toEqual([])
  },
  300_000,
)
