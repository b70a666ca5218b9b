import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { accessibilityProblems } from '../harness/accessibility.js'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import { type BlockedServer, holdServer } from './held-server.js'
import { openProfile, visitsPage } from './visits-page.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test
const PATIENCE = { timeout: 120_000 }
/** Milliseconds in which the page has to say that the server is gone. */
const DEATH_DISPLAYED = 1_000
/** Milliseconds for which the page is hidden, and the frames that the meter then shows. */
const HIDDEN = 900
const HIDE = `(async () => {
  let state = 'hidden'
  Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
  for (const end = performance.now() + ${HIDDEN}; performance.now() < end; );
  state = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  let most = 0
  for (let looks = 0; looks < 15; looks++) {
    await new Promise(resolve => setTimeout(resolve, 100))
    most = Math.max(most, parseInt(document.querySelector('.meter').textContent))
  }
  return most
})()`

const folder = temporaryFolder()
let server: BlockedServer
let context: BrowserContext
let page: Page
let app: ReturnType<typeof visitsPage>

beforeAll(async () => {
  if (chromium === undefined) return
  server = await holdServer((await startServer({ store: 'memory:', environment: { SYNC_DEMO_VISITS: 'true' } })).url)
  context = await openProfile(chromium, folder.path, 'first-minute')
  page = await context.newPage()
  app = visitsPage(page)
}, 120_000)
afterAll(async () => {
  await context?.close()
  server?.close()
  await endAll()
  folder.remove()
})

inBrowser('the first page names the product and links to its other pages', async () => {
  await page.goto(server.url)
  await page.getByText('a demo of Godwit').waitFor(PATIENCE)
  for (const name of ['Console', 'API documentation']) {
    const href = await page.getByRole('link', { name }).getAttribute('href')
    expect((await fetch(new URL(href ?? '', server.url))).status).toBe(200)
  }
  expect(await accessibilityProblems(page)).toEqual([])
})

inBrowser(
  "a user's visits arrive before the cities do",
  async () => {
    server.hold(/\/City\/pull/)
    await app.signIn()
    await app.waitForVisits(3)
    expect(await page.locator('.counter strong').textContent()).toBe('0')
    await page.getByText('Lisbon: the steep street').waitFor(PATIENCE)
    await page.getByRole('switch', { name: 'Network', checked: true }).waitFor(PATIENCE)
    await page.getByText('a demo of Godwit').waitFor(PATIENCE)
    expect(await accessibilityProblems(page)).toEqual([])
    server.release()
    await page.locator('.counter').filter({ hasText: '135,233' }).waitFor(PATIENCE)
    expect(await app.visits()).toEqual(['Lisbon', 'Nairobi', 'Kyoto'])
  },
  180_000,
)

inBrowser('the list of what to try is dismissed once', async () => {
  const list = page.getByRole('region', { name: 'Things to try' })
  expect(await list.getByRole('listitem').count()).toBeGreaterThan(2)
  await page.getByRole('button', { name: 'Hide the things to try' }).click()
  await list.waitFor({ state: 'detached', ...PATIENCE })
  await page.reload()
  await app.waitForVisits(3)
  expect(await list.count()).toBe(0)
})

inBrowser('the frame meter ignores the time in which the page was hidden', async () => {
  await app.waitForNote('Up to date')
  expect(await page.evaluate(HIDE)).toBeLessThan(HIDDEN)
})

inBrowser('the page shows within a second that the server is gone', async () => {
  await app.waitForNote('Up to date')
  server.close()
  await page.locator('.sync-note').filter({ hasNotText: 'Up to date' }).waitFor({ timeout: DEATH_DISPLAYED })
  await app.waitForNote('No connection')
})
