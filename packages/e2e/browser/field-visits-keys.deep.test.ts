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
const TIMEOUT = { timeout: 120_000 }
/** More presses of Tab than the page has places to reach. */
const MAX_TABS = 30

const folder = temporaryFolder()
let context: BrowserContext
let page: Page
let app: ReturnType<typeof visitsPage>

beforeAll(async () => {
  if (chromium === undefined) return
  const server = await startServer({ store: 'memory:' })
  context = await openProfile(chromium, folder.path, 'keys')
  page = await context.newPage()
  app = visitsPage(page)
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Sign in as ada' }).waitFor(TIMEOUT)
}, 120_000)
afterAll(async () => {
  await context?.close()
  await endAll()
  folder.remove()
})

const focused = () => page.locator(':focus')
const hasFocus = (selector: string) => focused().evaluate((element, wanted) => element.matches(wanted), selector)

/** Presses Tab until what the selector names has the focus. */
async function tabTo(selector: string): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused().count()) === 1 && (await hasFocus(selector))) return
  }
  throw new Error(`expected Tab to reach ${selector}`)
}

const ratingOf = (city: string) => app.starsOf(city).then(parts => parts.at(-1))

inBrowser('a visit is added with keys alone, and Enter on a city rates nothing', async () => {
  await tabTo('.primary')
  await page.keyboard.press('Enter')
  await page.getByText('No visits yet').waitFor(TIMEOUT)
  await page.locator('.counter').filter({ hasText: '135,233' }).waitFor(TIMEOUT)

  await tabTo('#city')
  await page.keyboard.type('par')
  await page.getByRole('option', { name: /^Paris/ }).waitFor(TIMEOUT)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const chosen = page.getByRole('option', { selected: true })
  expect(await page.locator('#city').getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  const city = (await chosen.locator('.name').textContent()) ?? ''
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor(TIMEOUT)
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
  await tabTo('textarea')
  await page.keyboard.type('By train')
  await tabTo('.primary')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached', ...TIMEOUT })
  expect(await hasFocus('#city')).toBe(true)
  expect(await app.visits()).toEqual([city])
  expect(await page.locator('.visits .stars').count()).toBe(0)

  // A rating is one stop of Tab, chosen by arrows and taken back by Space.
  await tabTo('.visit')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor(TIMEOUT)
  for (let stars = 0; stars < 3; stars++) await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('radio', { checked: true }).getAttribute('aria-label')).toBe('4 stars')
  await page.keyboard.press('Space')
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  expect(await hasFocus('textarea')).toBe(true)
  await tabTo('.primary')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached', ...TIMEOUT })
  expect(await hasFocus('.visit')).toBe(true)
  expect(await ratingOf(city)).toBe('4 of 5 stars')
})

inBrowser('a removed visit is had back with keys', async () => {
  await tabTo('.visits .icon')
  await page.keyboard.press('Enter')
  await page.getByText('No visits yet').waitFor(TIMEOUT)
  await tabTo('.toast button')
  await page.keyboard.press('Enter')
  await app.waitForVisits(1)
  // The first status after a reload is exact: the visit is sent before another one waits.
  await page.reload()
  await app.waitForNote('Up to date')
})

inBrowser('a user who signs out while switched off is told what waits, and can come back', async () => {
  await page.getByRole('switch', { name: 'Network', checked: true }).click()
  await app.add({ city: 'rome' })
  await app.waitForNote('1 waiting')
  await page.getByRole('button', { name: 'Sign out ada' }).click()
  await page.getByRole('heading', { name: '1 unsent change' }).waitFor(TIMEOUT)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await page.getByRole('button', { name: 'Sign out ada' }).click()
  await page.getByRole('button', { name: 'Sign out anyway' }).click()
  await page.getByText('1 unsent change by ada stays on this device').waitFor(TIMEOUT)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.reload()
  await app.signIn()
  await page.getByRole('alert').waitFor(TIMEOUT)
  await page.getByRole('switch', { name: 'Network', checked: false }).click()
  await app.signIn()
  await app.waitForNote('Up to date')
  expect(await app.visits()).toContain('Rome')
})

inBrowser('the switch says the same in every window', async () => {
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByRole('switch', { name: 'Network', checked: true }).click()
  await page.getByRole('switch', { name: 'Network', checked: false }).click()
  await other.getByRole('switch', { name: 'Network', checked: true }).waitFor(TIMEOUT)
})
