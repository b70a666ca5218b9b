import { join } from 'node:path'
import { until } from '@godwit/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { accessibilityProblems } from '../harness/accessibility.js'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import { landscape, openProfile, visitsPage } from './visits-page.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test
const PATIENCE = { timeout: 120_000 }

/** Notes every text that the line of the sync shows. */
const NOTE_TEXTS = `globalThis.noteTexts = []
new MutationObserver(() => {
  const text = document.querySelector('.sync-note')?.textContent
  if (text !== undefined && text !== noteTexts.at(-1)) noteTexts.push(text)
}).observe(document, { subtree: true, childList: true, characterData: true })`

/** Notes the most dots that one task of the page draws, how many are drawn in all, and the most rows of one message. */
const COUNT_WORK = `globalThis.work = { dots: 0, mostDots: 0, mostRows: 0 }
let inTask = 0
const { fillRect } = CanvasRenderingContext2D.prototype
CanvasRenderingContext2D.prototype.fillRect = function (...given) {
  if (inTask++ === 0) setTimeout(() => { inTask = 0 })
  work.dots++
  work.mostDots = Math.max(work.mostDots, inTask)
  return fillRect.apply(this, given)
}
globalThis.Worker = class extends Worker {
  constructor(...given) {
    super(...given)
    this.addEventListener('message', ({ data }) => {
      const rows = data.rows ?? data.result
      if (Array.isArray(rows)) work.mostRows = Math.max(work.mostRows, rows.length)
    })
  }
}`

/** Adds up how far what is shown jumps by itself. */
const ADD_SHIFTS = `globalThis.shift = 0
new PerformanceObserver(list => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value
}).observe({ type: 'layout-shift', buffered: true })`
/** Of layout shifts: what a person does not notice. */
const MAX_SHIFT = 0.02

interface Work {
  readonly dots: number
  readonly mostDots: number
  readonly mostRows: number
}

const folder = temporaryFolder()
let server: ServerProcess
let context: BrowserContext
let page: Page
let app: ReturnType<typeof visitsPage>
const profile = (name: string) => openProfile(chromium ?? '', folder.path, name)

beforeAll(async () => {
  if (chromium === undefined) return
  server = await startServer({ store: `sqlite:${join(folder.path, 'godwit.sqlite')}` })
  context = await profile('first')
  show(await context.newPage())
}, 120_000)
afterAll(async () => {
  await context?.close()
  await endAll()
  folder.remove()
})

function show(next: Page): void {
  page = next
  app = visitsPage(page)
}

const note = () => page.locator('.sync-note').textContent()
/** Waits until nothing is unsent. Reloads then: a page that has just written may not have been told yet that its change waits. */
async function allSent(): Promise<void> {
  await page
    .locator('.badge')
    .first()
    .waitFor({ state: 'detached', ...PATIENCE })
  await page.reload()
  await app.waitForNote(/^Up to date$/)
}

inBrowser(
  'ada signs in, and every city arrives on the map, few at a time, while frames go on',
  async () => {
    await page.addInitScript(COUNT_WORK)
    await page.addInitScript(ADD_SHIFTS)
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Sign in as ada' }).waitFor(PATIENCE)
    expect(await accessibilityProblems(page)).toEqual([])
    await app.signIn()
    await page.getByText('No visits yet').waitFor(PATIENCE)
    await page.locator('.counter').filter({ hasText: '135,233' }).waitFor(PATIENCE)
    // How long a frame takes is the machine's matter; how much is done in one is the app's.
    const { dots, mostDots, mostRows } = (await page.evaluate('work')) as Work
    expect(dots).toBeGreaterThan(50_000)
    expect(mostDots).toBeLessThanOrEqual(8_000)
    expect(mostRows).toBeGreaterThan(0)
    expect(mostRows).toBeLessThanOrEqual(2_500)
    expect(await page.evaluate('shift')).toBeLessThan(MAX_SHIFT)
    await page.evaluate('work.dots = 0')
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await until(async () => (await page.evaluate('work.dots > 135_000')) === true, { every: 250, within: 120_000 })
    expect(await page.evaluate('work.mostDots')).toBeLessThanOrEqual(8_000)
    await page.locator('.meter[data-state="good"]').waitFor(PATIENCE)
    expect(await accessibilityProblems(page)).toEqual([])
  },
  180_000,
)

inBrowser(
  'cities are found on every key, the largest first',
  async () => {
    const found = page.locator('.found .city')
    for (const [typed, first] of [
      ['p', /(^|[\s-])P/],
      ['pa', /(^|[\s-])Pa/],
      ['par', /^Paris/],
    ] as const) {
      await page.getByLabel('City').fill(typed)
      await found.first().filter({ hasText: first }).waitFor(PATIENCE)
      // The list is as long as what was found; only what is seen of it is there.
      expect(Number(await found.first().getAttribute('aria-setsize'))).toBeGreaterThan(100)
      expect(await found.count()).toBeLessThan(30)
    }
    await page.getByLabel('City').fill('no such place')
    await page.getByText('No city on this device has a word that starts with “no such place”.').waitFor(PATIENCE)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByLabel('City').fill('')
  },
  180_000,
)

inBrowser(
  'a reload never says that there is no connection: none was tried yet',
  async () => {
    await page.addInitScript(NOTE_TEXTS)
    await page.reload()
    await app.waitForNote('Up to date')
    const texts = (await page.evaluate('noteTexts')) as readonly string[]
    expect(texts.at(-1)).toBe('Up to date')
    expect(texts).not.toContain('No connection')
  },
  180_000,
)

inBrowser(
  'offline, a new visit with a photo and an edit of another are kept over a reload and wait',
  async () => {
    await app.add({ city: 'paris', stars: '5 stars', note: 'By bus' })
    await allSent()
    await page.getByRole('switch').click()
    await app.add({ city: 'oslo', stars: '4 stars', note: 'Snow', photo: await landscape(page, 200) })
    await page.locator('.visits li').filter({ hasText: 'Paris' }).locator('.visit').click()
    await app.write({ note: 'By train' })
    await page.getByRole('button', { name: 'Save' }).click()
    await app.waitForNote('2 waiting')
    expect(await accessibilityProblems(page)).toEqual([])
    await page.reload()
    await app.waitForNote('2 waiting')
    await page.getByText('By train').waitFor(PATIENCE)
    expect(await app.visits()).toEqual(['Oslo', 'Paris'])
    expect(await app.widthOfPhoto('Oslo')).toBe(1280)
  },
  180_000,
)

inBrowser(
  'offline, a visit that the backend will refuse is kept with its sixth star',
  async () => {
    await app.add({ city: 'lisbon', stars: '6 stars, which the backend refuses' })
    await app.waitForNote('3 waiting')
    await page.reload()
    const counted = page.locator('.counter strong').filter({ hasNotText: /^0$/ })
    await counted.waitFor(PATIENCE)
    expect(await counted.textContent()).toBe('135,233')
    await app.waitForVisits(1)
    await app.waitForNote('3 waiting')
    expect(await note()).toBe('Offline · 3 waiting')
    expect(await app.visits()).toEqual(['Lisbon', 'Oslo', 'Paris'])
    expect(await page.getByText('not sent yet').count()).toBe(3)
    expect(await app.starsOf('Lisbon')).toEqual(['★★★★★', '+1', '6 stars, above the maximum of 5'])
    expect(await app.starsOf('Oslo')).toEqual(['★★★★', '★', '4 of 5 stars'])
    expect(await app.widthOfPhoto('Oslo')).toBe(1280)
  },
  180_000,
)

inBrowser('what is no picture is refused in clear words', async () => {
  await app.choose('rome')
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('alert').filter({ hasText: 'This browser cannot read this file' }).waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Cancel' }).click()
})

inBrowser(
  'a second window sees what the first writes, its photo too, and goes on when that is closed',
  async () => {
    const second = await context.newPage()
    await second.goto(server.url)
    await visitsPage(second).waitForVisits(3)
    expect(await visitsPage(second).widthOfPhoto('Oslo')).toBe(1280)
    await app.add({ city: 'rome', stars: '3 stars' })
    await visitsPage(second).waitForVisits(4)
    await page.close()
    show(second)
    await app.add({ city: 'vienna', stars: '2 stars' })
    expect(await app.visits()).toEqual(['Vienna', 'Rome', 'Lisbon', 'Oslo', 'Paris'])
  },
  180_000,
)

inBrowser(
  'online again, one is refused and sent with five stars, and the backend has them all, with the photo',
  async () => {
    await page.getByRole('switch').click()
    await page.getByText('The backend refused your visit to Lisbon').waitFor(PATIENCE)
    const sides = page.locator('.refusal dd')
    await sides.nth(0).getByRole('img', { name: '6 stars, above the maximum of 5' }).waitFor(PATIENCE)
    expect(await sides.nth(0).textContent()).toMatch(/^★{5}\s*\+1/)
    expect(await sides.nth(1).textContent()).toBe('Nothing yet. Your visit stays here until you decide.')
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Send with 5 stars' }).click()
    await page.locator('.refusal').waitFor({ state: 'detached' })
    await allSent()
    const elsewhere = await profile('second')
    const other = await elsewhere.newPage()
    await other.goto(server.url)
    await visitsPage(other).signIn()
    await visitsPage(other).waitForVisits(5)
    expect(await visitsPage(other).widthOfPhoto('Oslo')).toBe(1280)
    await elsewhere.close()
  },
  180_000,
)

inBrowser(
  'a refused edit stands beside what the backend has, and goes when it is dismissed',
  async () => {
    await page.locator('.visits li').filter({ hasText: 'Oslo' }).locator('.visit').click()
    await app.write({ stars: '6 stars, which the backend refuses', note: 'Snow and sun' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The backend refused your visit to Oslo').waitFor(PATIENCE)
    const sides = page.locator('.refusal dd')
    expect(await sides.nth(0).textContent()).toMatch(/^★{5}\s*\+1\s*Snow and sun$/)
    expect(await sides.nth(1).textContent()).toMatch(/^★{5}\s*Snow$/)
    await sides.nth(1).getByRole('img', { name: '4 of 5 stars' }).waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.locator('.refusal').waitFor({ state: 'detached', ...PATIENCE })
    expect(await app.starsOf('Oslo')).toEqual(['★★★★', '★', '4 of 5 stars'])
  },
  180_000,
)

inBrowser(
  'a refused visit is found from anywhere, tried again, edited and then taken, with its photo',
  async () => {
    const refusal = page.locator('.refusal')
    await app.add({
      city: 'reykjavik',
      stars: '6 stars, which the backend refuses',
      photo: await landscape(page, 20),
    })
    await refusal.waitFor(PATIENCE)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.getByRole('button', { name: '1 refused' }).click()
    const title = page.getByRole('heading', { name: 'The backend refused your visit to Reykjavík' })
    // Below the bar and the search field, which stay.
    expect((await title.boundingBox())?.y).toBeGreaterThan(160)
    expect((await title.boundingBox())?.y).toBeLessThan(500)
    await page.setViewportSize({ width: 1440, height: 900 })

    await refusal.evaluate(element => element.setAttribute('data-before', ''))
    await refusal.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.refusal:not([data-before])').waitFor(PATIENCE)
    await refusal.getByRole('button', { name: 'Edit' }).click()
    expect(await page.getByRole('radio', { checked: true }).getAttribute('aria-label')).toMatch(/^6 stars/)
    await page.locator('.photo-field img').waitFor(PATIENCE)
    await app.write({ stars: '5 stars', note: 'Five, then' })
    await page.getByRole('button', { name: 'Send again' }).click()
    await refusal.waitFor({ state: 'detached', ...PATIENCE })
    await allSent()
    expect(await app.starsOf('Reykjavík')).toEqual(['★★★★★', '5 of 5 stars'])
    await page.getByText('Five, then').waitFor(PATIENCE)
    expect(await app.widthOfPhoto('Reykjavík')).toBe(1280)
  },
  180_000,
)

inBrowser(
  'a drawer tells what just happened: requests, transactions, live queries with their times, the outbox',
  async () => {
    await page.getByRole('button', { name: 'What just happened' }).click()
    const drawer = page.getByRole('region', { name: 'What just happened' })
    await drawer.getByRole('tab', { name: /Live queries [1-9]/ }).click(PATIENCE)
    await drawer
      .getByRole('cell', { name: /\d ms$/ })
      .first()
      .waitFor(PATIENCE)
    await drawer.getByRole('tab', { name: 'Events' }).click()
    await app.add({ city: 'turin', stars: '1 star' })
    await drawer.getByText('POST /app/v1/Visit', { exact: true }).first().waitFor(PATIENCE)
    await drawer.getByText('1 written').first().waitFor(PATIENCE)
    await drawer.getByRole('tab', { name: 'Outbox 0' }).click(PATIENCE)
    await drawer.getByText('No changes are waiting').waitFor(PATIENCE)
    expect(await accessibilityProblems(page)).toEqual([])
    for (const height of [844, 900, 1180]) {
      await page.setViewportSize({ width: 820, height })
      const [counter, top] = [await page.locator('.counter').boundingBox(), (await drawer.boundingBox())?.y]
      expect(counter && counter.y + counter.height).toBeLessThanOrEqual(top ?? 0)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await drawer.getByRole('button', { name: 'Close' }).click()
    await drawer.waitFor({ state: 'detached' })
  },
  180_000,
)

inBrowser('a removed visit comes back by undo', async () => {
  await page.getByRole('button', { name: 'Remove the visit to Rome' }).click()
  expect(await app.visits()).not.toContain('Rome')
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await app.visits()).toContain('Rome')
})

inBrowser('the app can be installed', async () => {
  const session = await context.newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  const { errors, url } = await session.send('Page.getAppManifest')
  await session.detach()
  expect([installabilityErrors, errors]).toEqual([[], []])
  expect(url).toBe(new URL('app.webmanifest', server.url).href)
})

inBrowser(
  'without its server the app opens, with everything in it, where it was opened once',
  async () => {
    const elsewhere = await profile('third')
    const once = await elsewhere.newPage()
    await once.goto(server.url)
    await visitsPage(once).signIn()
    await visitsPage(once).waitForVisits(7)
    expect(await visitsPage(once).widthOfPhoto('Oslo')).toBe(1280)
    await once.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await endAll()
    await once.reload()
    await visitsPage(once).waitForVisits(7)
    expect(await visitsPage(once).widthOfPhoto('Oslo')).toBe(1280)
    await elsewhere.close()
    await page.reload()
    await app.waitForVisits(7)
    await app.find('rey')
  },
  180_000,
)

inBrowser.each([
  ['light', 390],
  ['dark', 820],
  ['dark', 1440],
] as const)(
  'nothing keeps people out, %s at %i pixels, and nothing is wider than the page',
  async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  },
)
