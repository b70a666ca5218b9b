import { until } from '@godwit/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { accessibilityProblems } from '../harness/accessibility.js'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import { openProfile, visitsPage } from './visits-page.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test
const PATIENCE = { timeout: 120_000 }
const folder = temporaryFolder()
let url: string
let context: BrowserContext
let page: Page
let app: ReturnType<typeof visitsPage>

beforeAll(async () => {
  if (chromium === undefined) return
  url = (await startServer({ store: 'memory:', environment: { SYNC_DEMO_VISITS: 'true' } })).url
  context = await openProfile(chromium, folder.path, 'steps')
  page = await context.newPage()
  app = visitsPage(page)
}, 120_000)
afterAll(async () => {
  await context?.close()
  await endAll()
  folder.remove()
})

const mercator = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))

/** Returns the point of the page that shows a place on the map, which goes from 80° north to 58° south. */
async function pointOf(longitude: number, latitude: number): Promise<readonly [x: number, y: number]> {
  const { x, y, width, height } = (await page.locator('.marks').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const share = (mercator(80) - mercator(latitude)) / (mercator(80) - mercator(-58))
  return [x + (width * (longitude + 180)) / 360, y + height * share]
}

inBrowser('before its script runs, the page shows what opens', async () => {
  expect(await (await fetch(url)).text()).toContain('Opening this device…')
})

inBrowser(
  'the map names the city under the pointer, a click adds a visit, and a pin opens one',
  async () => {
    await page.goto(url)
    await app.signIn()
    await page.locator('.counter').filter({ hasText: '135,233' }).waitFor(PATIENCE)
    const london = await pointOf(-0.13, 51.5)
    await page.mouse.move(...london)
    await page.getByText('London, United Kingdom').waitFor(PATIENCE)
    await page.mouse.click(...london)
    await page.getByRole('dialog', { name: 'London' }).waitFor(PATIENCE)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached', ...PATIENCE })
    const before = (await page.locator('.marks').boundingBox())?.width ?? 0
    await page.mouse.wheel(0, -400)
    await until(async () => ((await page.locator('.marks').boundingBox())?.width ?? 0) > before * 1.5)
    await page.getByRole('button', { name: 'Zoom out' }).click({ clickCount: 3 })
    await page.getByRole('button', { name: 'Open the visit to Kyoto' }).click()
    await page.getByRole('dialog', { name: 'Kyoto' }).waitFor(PATIENCE)
    expect(await page.getByLabel('Note').inputValue()).toBe('Kyoto: closed on Tuesdays')
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached', ...PATIENCE })
  },
  180_000,
)

inBrowser('the pin of a removed visit goes with it, and comes back with it', async () => {
  const pin = page.getByRole('button', { name: 'Open the visit to Kyoto' })
  await page.getByRole('button', { name: 'Remove the visit to Kyoto' }).click()
  await pin.waitFor({ state: 'detached', timeout: 2_000 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await pin.waitFor(PATIENCE)
})

inBrowser('Escape asks before what was typed is gone', async () => {
  await page.locator('.visits li').filter({ hasText: 'Kyoto' }).locator('.visit').click()
  await page.getByLabel('Note').fill('Half a thought')
  await page.keyboard.press('Escape')
  await page.getByText('Discard what you entered?').waitFor(PATIENCE)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await page.getByLabel('Note').inputValue()).toBe('Half a thought')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached', ...PATIENCE })
  await page.getByText('Kyoto: closed on Tuesdays').waitFor(PATIENCE)
})

inBrowser(
  'a dismissed refusal comes back by undo',
  async () => {
    const refusal = page.locator('.refusal')
    await app.add({ city: 'oslo', stars: '6 stars, which the backend refuses' })
    await refusal.waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await refusal.waitFor({ state: 'detached', ...PATIENCE })
    await page.getByRole('button', { name: 'Undo' }).click()
    await refusal.waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached', ...PATIENCE })
    await page.getByRole('button', { name: '1 refused' }).waitFor({ state: 'detached', ...PATIENCE })
  },
  180_000,
)

inBrowser(
  "another user's unsent changes are sent by that user, or discarded after a second look",
  async () => {
    await page.getByRole('switch').click()
    await app.add({ city: 'rome', note: 'unsent' })
    await app.waitForNote('1 waiting')
    await page.getByRole('button', { name: 'Sign out ada' }).click()
    await page.getByRole('button', { name: 'Sign out anyway' }).click()
    await page.getByRole('switch').click()
    await app.signIn('grace')
    await page.getByRole('button', { name: "Discard ada's 1 change…" }).click(PATIENCE)
    await page.getByText('Discard 1 change by ada? This cannot be undone.').waitFor(PATIENCE)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('button', { name: 'Sign in as ada to send it' }).click()
    await page.getByText('unsent', { exact: true }).waitFor(PATIENCE)
    await app.waitForNote('Up to date')
    await page.getByRole('button', { name: 'Sign out ada' }).click()
    await app.signIn('grace')
    await page.getByText('Oslo: snow until noon').waitFor(PATIENCE)
  },
  180_000,
)
