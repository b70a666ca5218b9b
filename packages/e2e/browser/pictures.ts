import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { type BlockedServer, holdServer } from './held-server.js'
import { landscape, openProfile, visitsPage } from './visits-page.js'

const TIMEOUT = { timeout: 120_000 }
const WIDTHS = [390, 820, 1440]
const HEIGHTS: { readonly [width: number]: number } = { 390: 844, 820: 1180, 1440: 900 }

type Format = 'webp' | 'png'
/** `again`: brings the state about for each picture, as it does not last. */
type Take = (name: string, again?: () => Promise<void>) => Promise<void>

async function pictureOf(page: Page, format: Format): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const quality = format === 'webp' ? { quality: 82 } : {}
  const { data } = await session.send('Page.captureScreenshot', { format, ...quality })
  await session.detach()
  return Buffer.from(data, 'base64')
}

/** Goes through the states of Field Visits in the order in which a person meets them. */
async function visit(page: Page, server: BlockedServer, take: Take): Promise<void> {
  const app = visitsPage(page)
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Sign in as ada' }).waitFor(TIMEOUT)
  await take('sign-in')
  server.hold(/\/City\/pull/, 25)
  await app.signIn()
  await page.locator('.counter strong').filter({ hasNotText: /^0$/ }).waitFor(TIMEOUT)
  await page.waitForTimeout(4_000)
  await take('loading')
  server.release()
  await page.locator('.counter').filter({ hasText: '135,233' }).waitFor(TIMEOUT)
  await take('empty')

  const photos = [await landscape(page, 200), await landscape(page, 20), await landscape(page, 280)]
  const photo = (at: number) => photos[at] as Buffer
  await app.add({ city: 'lisbon', stars: '5 stars', note: 'The steep street behind the market', photo: photo(1) })
  await app.add({ city: 'oslo', stars: '4 stars', note: 'Snow until noon, then the harbour' })
  await app.add({ city: 'nairobi', stars: '5 stars', note: 'New pump runs; seals for the old one', photo: photo(0) })
  await app.add({ city: 'kyoto', stars: '3 stars', note: 'Closed on Tuesdays', photo: photo(2) })
  await app.waitForNote('Up to date')
  await page
    .locator('.badge')
    .first()
    .waitFor({ state: 'detached', ...TIMEOUT })
  await take('list')
  await app.find('par')
  await take('search')
  await page.getByLabel('City').fill('')
  await app.choose('paris')
  await app.write({ stars: '5 stars', note: 'By train, then on foot along the canal', photo: photo(0) })
  await take('editor')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('switch').click()
  await app.add({ city: 'paris', stars: '5 stars', note: 'By train, then on foot along the canal' })
  await app.add({ city: 'reykjavik', stars: '6 stars, which the backend refuses', note: 'Six, at least' })
  await app.waitForNote('2 waiting')
  await take('offline')
  const undo = page.getByRole('button', { name: 'Undo' })
  await take('removed', async () => {
    if (await undo.isVisible()) await undo.click()
    await page.getByRole('button', { name: 'Remove the visit to Oslo' }).click()
  })
  if (await undo.isVisible()) await undo.click()
  await page.getByRole('switch').click()
  await page.getByText('The backend refused your visit to Reyk').waitFor(TIMEOUT)
  await take('refused')
  await page.getByRole('button', { name: 'What just happened' }).click()
  await page.waitForTimeout(1_500)
  await take('devtools')
}

/** A page whose worker the server does not give any more. */
async function fail(page: Page, server: BlockedServer, take: Take): Promise<void> {
  server.refuse(/worker/)
  await page.goto(server.url)
  await page.getByRole('alert').waitFor(TIMEOUT)
  await take('failed')
}

/** Takes pictures of the states, at three widths, light and dark, into a folder. Some: of these alone. */
export async function takePictures(
  folder: string,
  some: readonly string[],
  widths: readonly number[],
  format: Format,
): Promise<void> {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('There is no Chromium: name one by TEST_CHROMIUM.')
  mkdirSync(folder, { recursive: true })
  const profiles = mkdtempSync(join(tmpdir(), 'godwit-pictures-'))
  const demo = await startServer({ store: 'memory:' })
  const server = await holdServer(demo.url)
  try {
    for (const go of [visit, fail]) {
      if (go === fail && some.length > 0 && !some.includes('failed')) continue
      const context = await openProfile(chromium, profiles, go.name)
      const page = await context.newPage()
      page.on('pageerror', ({ message }) => process.stderr.write(`${message}\n`))
      await go(page, server, async (name, again) => {
        if (some.length > 0 && !some.includes(name)) return
        for (const width of widths) {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize({ width, height: HEIGHTS[width] ?? 900 })
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            await again?.()
            // The meter of frames tells of the last half second.
            await page.waitForTimeout(1_200)
            writeFileSync(
              join(folder, `visits-${name}-${width}-${colorScheme}.${format}`),
              await pictureOf(page, format),
            )
          }
        }
        await page.setViewportSize({ width: 1440, height: 900 })
      })
      await context.close()
    }
  } finally {
    server.close()
    await endAll()
    rmSync(profiles, { recursive: true, force: true })
  }
}

const [folder = 'pictures', names = '', widths = '', format = 'webp'] = process.argv.slice(2)
const list = (text: string): readonly string[] => text.split(',').filter(one => one !== '')
const chosen = widths === '' ? WIDTHS : list(widths).map(Number)
await takePictures(folder, list(names), chosen, format === 'png' ? 'png' : 'webp')
