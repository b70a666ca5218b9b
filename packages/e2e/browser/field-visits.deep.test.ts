import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { accessibilityProblems } from '../harness/barriers.js'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'
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

interface Work {
  readonly dots: number
  readonly mostDots: number
  readonly mostRows: number
}

interface Image {
  readonly naturalWidth: number
  decode(): Promise<void>
}

async function decodedWidth(image: unknown): Promise<number> {
  await (image as Image).decode()
  return (image as Image).naturalWidth
}

describe.each(STORES.filter(({ name }) => name !== 'memory'))('over $name', ({ address }) => {
  const folder = temporaryFolder()
  let server: ServerProcess
  let context: BrowserContext
  let page: Page
  let app: ReturnType<typeof visitsPage>
  const profile = (name: string) => openProfile(chromium ?? '', folder.path, name)

  beforeAll(async () => {
    if (chromium === undefined) return
    server = await startServer({ store: await address(folder.path) })
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
  const allSent = () =>
    page
      .locator('.badge')
      .first()
      .waitFor({ state: 'detached', ...PATIENCE })

  /** How wide the photo of a visit is, once its bytes are on the device. Rejects where they show nothing. */
  async function photoOf(shown: Page, city: string): Promise<number> {
    const image = shown.getByAltText(`Photo of ${city}`)
    await image.waitFor(PATIENCE)
    return image.evaluate(decodedWidth)
  }

  inBrowser(
    'ada signs in, and every city arrives on the map, few at a time, while frames go on',
    async () => {
      await page.addInitScript(COUNT_WORK)
      await page.goto(server.url)
      await page.getByRole('button', { name: 'Sign in as ada' }).waitFor(PATIENCE)
      expect(await accessibilityProblems(page)).toEqual([])
      await app.signIn()
      await page.getByText('No visits yet').waitFor(PATIENCE)
      await page.locator('.counter').filter({ hasText: '135,233' }).waitFor(PATIENCE)
      // How long a frame takes is the machine's matter; how much is done in one is the app's.
      const { dots, mostDots, mostRows } = (await page.evaluate('work')) as Work
      expect(dots).toBeGreaterThanOrEqual(135_233)
      expect(mostDots).toBeLessThanOrEqual(8_000)
      expect(mostRows).toBeGreaterThan(0)
      expect(mostRows).toBeLessThanOrEqual(2_500)
      await page.locator('.meter[data-state="good"]').waitFor(PATIENCE)
      expect(await accessibilityProblems(page)).toEqual([])
    },
    180_000,
  )

  inBrowser(
    'cities are found on every key, the largest first',
    async () => {
      await page.getByLabel('City').fill('par')
      await page
        .locator('.found .city')
        .first()
        .filter({ hasText: /^Paris/ })
        .waitFor(PATIENCE)
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
    'offline, visits and a photo are kept over a reload and wait',
    async () => {
      await page.getByRole('switch').click()
      await app.add({ city: 'paris', stars: '5 stars', note: 'By train' })
      await app.add({ city: 'lisbon', stars: '6 stars, which the backend refuses' })
      await app.add({ city: 'oslo', stars: '4 stars', note: 'Snow', photo: await landscape(page, 200) })
      await app.waitForNote('3 waiting')
      await page.reload()
      const counted = page.locator('.counter strong').filter({ hasNotText: /^0$/ })
      await counted.waitFor(PATIENCE)
      expect(await counted.textContent()).toBe('135,233')
      await app.waitForVisits(1)
      await app.waitForNote('3 waiting')
      expect(await note()).toBe('Offline · 3 waiting')
      expect(await app.visits()).toEqual(['Oslo', 'Lisbon', 'Paris'])
      expect(await page.getByText('not sent yet').count()).toBe(3)
      expect(await app.starsOf('Lisbon')).toEqual(['★★★★★', '+1', '6 stars, where 5 are the most'])
      expect(await app.starsOf('Oslo')).toEqual(['★★★★', '★', '4 of 5 stars'])
      expect(await photoOf(page, 'Oslo')).toBe(1280)
    },
    180_000,
  )

  inBrowser('what is no picture is refused in clear words', async () => {
    await app.choose('rome')
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('alert').filter({ hasText: 'This file is no picture' }).waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  inBrowser(
    'a second window sees what the first writes, its photo too, and goes on when that is closed',
    async () => {
      const second = await context.newPage()
      await second.goto(server.url)
      await visitsPage(second).waitForVisits(3)
      expect(await photoOf(second, 'Oslo')).toBe(1280)
      await app.add({ city: 'rome', stars: '3 stars' })
      await visitsPage(second).waitForVisits(4)
      await page.close()
      show(second)
      await app.add({ city: 'vienna', stars: '2 stars' })
      expect(await app.visits()).toEqual(['Vienna', 'Rome', 'Oslo', 'Lisbon', 'Paris'])
    },
    180_000,
  )

  inBrowser(
    'online again, one is refused and sent with five stars, and the backend has them all, with the photo',
    async () => {
      await page.getByRole('switch').click()
      await page.getByText('The backend refused your visit to Lisbon').waitFor(PATIENCE)
      const sides = page.locator('.refusal dd')
      await sides.nth(0).getByRole('img', { name: '6 stars, where 5 are the most' }).waitFor(PATIENCE)
      expect(await sides.nth(0).textContent()).toMatch(/^★{5}\s*\+1/)
      expect(await sides.nth(1).textContent()).toBe('Nothing yet. Your visit is kept here until you decide.')
      expect(await accessibilityProblems(page)).toEqual([])
      await page.getByRole('button', { name: 'Send with 5 stars' }).click()
      await page.locator('.refusal').waitFor({ state: 'detached' })
      await allSent()
      const elsewhere = await profile('second')
      const other = await elsewhere.newPage()
      await other.goto(server.url)
      await visitsPage(other).signIn()
      await visitsPage(other).waitForVisits(5)
      expect(await photoOf(other, 'Oslo')).toBe(1280)
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
      await drawer.getByText('Nothing waits').waitFor(PATIENCE)
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
    'without its server the app opens, with everything in it',
    async () => {
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      await page.reload()
      await app.waitForVisits(6)
      await endAll()
      await page.reload()
      await app.waitForVisits(6)
      expect(await photoOf(page, 'Oslo')).toBe(1280)
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
})
