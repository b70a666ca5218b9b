import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type BrowserContext, chromium as launcher, type Page } from 'playwright-core'
import { findChromium, QUIET } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PATIENCE = { timeout: 120_000 }

const folder = temporaryFolder()
let server: ServerProcess
let context: BrowserContext
let page: Page
beforeAll(async () => {
  if (chromium === undefined) return
  server = await startServer({ store: 'memory:' })
  context = await profile('first')
  page = await context.newPage()
}, 120_000)
afterAll(async () => {
  await context?.close()
  await endAll()
  folder.remove()
})

/** A browser with a profile on disk: private windows keep files in another process, where each access takes long. */
const profile = (name: string): Promise<BrowserContext> =>
  launcher.launchPersistentContext(join(folder.path, name), {
    ...(chromium !== undefined && { executablePath: chromium }),
    args: QUIET,
    viewport: { width: 1440, height: 900 },
  })

/** What axe finds that keeps people out. The policy of the page lets no script in, so it is run by the debugger. */
async function barriers(): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

async function choose(city: string): Promise<void> {
  await page.getByLabel('City').fill(city)
  await page.locator('.found li').first().waitFor(PATIENCE)
  await page.keyboard.press('Enter')
}

async function addVisit(city: string, stars: string, note = ''): Promise<void> {
  await choose(city)
  await page.getByLabel(stars, { exact: true }).click()
  await page.getByLabel('Note').fill(note)
  await page.getByRole('button', { name: 'Add visit' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const note = () => page.locator('.sync-note').textContent()
const visits = () => page.locator('.visits strong').allTextContents()
const waitForNote = (text: string) => page.locator('.sync-note').filter({ hasText: text }).waitFor(PATIENCE)

inBrowser(
  'ada signs in, and every city arrives on the map',
  async () => {
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Sign in as ada' }).waitFor(PATIENCE)
    expect(await barriers()).toEqual([])
    await page.getByRole('button', { name: 'Sign in as ada' }).click()
    await page.getByText('No visits yet').waitFor(PATIENCE)
    await page.locator('.counter').filter({ hasText: '135,233' }).waitFor(PATIENCE)
    expect(await barriers()).toEqual([])
  },
  180_000,
)

inBrowser(
  'cities are found on every key, the largest first',
  async () => {
    await page.getByLabel('City').fill('par')
    await page
      .locator('.found li')
      .first()
      .filter({ hasText: /^Paris/ })
      .waitFor(PATIENCE)
    await page.getByLabel('City').fill('')
  },
  180_000,
)

inBrowser(
  'offline, visits are kept over a reload and wait',
  async () => {
    await page.getByRole('switch').click()
    await addVisit('paris', '5 stars', 'By train')
    await addVisit('lisbon', '6 stars, which the backend refuses')
    await addVisit('oslo', '4 stars', 'Snow')
    await waitForNote('3 waiting')
    await page.reload()
    await page.locator('.visits li').first().waitFor(PATIENCE)
    await waitForNote('3 waiting')
    expect(await note()).toBe('Offline · 3 waiting')
    expect(await visits()).toEqual(['Oslo', 'Lisbon', 'Paris'])
    expect(await page.getByText('not sent yet').count()).toBe(3)
  },
  180_000,
)

inBrowser(
  'a second window sees what the first writes, and goes on when that is closed',
  async () => {
    const second = await context.newPage()
    await second.goto(server.url)
    await second.locator('.visits li').nth(2).waitFor(PATIENCE)
    await addVisit('rome', '3 stars')
    await second.locator('.visits li').nth(3).waitFor(PATIENCE)
    await page.close()
    page = second
    await addVisit('vienna', '2 stars')
    expect(await visits()).toEqual(['Vienna', 'Rome', 'Oslo', 'Lisbon', 'Paris'])
  },
  180_000,
)

inBrowser(
  'online again, one is refused and sent with five stars, and the backend has them all',
  async () => {
    await page.getByRole('switch').click()
    await page.getByText('The backend refused your visit to Lisbon').waitFor(PATIENCE)
    expect(await barriers()).toEqual([])
    await page.getByRole('button', { name: 'Send with 5 stars' }).click()
    await page.locator('.refusal').waitFor({ state: 'detached' })
    await page
      .locator('.badge')
      .first()
      .waitFor({ state: 'detached', ...PATIENCE })
    const elsewhere = await profile('second')
    const other = await elsewhere.newPage()
    await other.goto(server.url)
    await other.getByRole('button', { name: 'Sign in as ada' }).click()
    await other.locator('.visits li').nth(4).waitFor(PATIENCE)
    await elsewhere.close()
  },
  180_000,
)

inBrowser(
  'a removed visit comes back by undo',
  async () => {
    await page.getByRole('button', { name: 'Remove the visit to Rome' }).click()
    expect(await visits()).not.toContain('Rome')
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await visits()).toContain('Rome')
  },
  60_000,
)

inBrowser(
  'without its server the app opens, with everything in it',
  async () => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.reload()
    await page.locator('.visits li').nth(4).waitFor(PATIENCE)
    await endAll()
    await page.reload()
    await page.locator('.visits li').nth(4).waitFor(PATIENCE)
    await page.getByLabel('City').fill('rey')
    await page.locator('.found li').first().waitFor(PATIENCE)
  },
  180_000,
)

inBrowser.each([
  ['light', 390],
  ['dark', 820],
] as const)(
  'nothing keeps people out, %s at %i pixels, and nothing is wider than the page',
  async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    expect(await barriers()).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  },
  60_000,
)
