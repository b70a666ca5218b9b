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

interface BrowserDevice {
  readonly context: BrowserContext
  readonly page: Page
  readonly app: ReturnType<typeof visitsPage>
}

const folder = temporaryFolder()
let first: BrowserDevice
let second: BrowserDevice

beforeAll(async () => {
  if (chromium === undefined) return
  const { url } = await startServer({ store: 'memory:' })
  const open = async (name: string): Promise<BrowserDevice> => {
    const context = await openProfile(chromium, folder.path, name)
    const page = await context.newPage()
    await page.goto(url)
    const app = visitsPage(page)
    await app.signIn()
    return { context, page, app }
  }
  first = await open('first')
  await first.page.locator('.counter').filter({ hasText: '135,233' }).waitFor(PATIENCE)
  await first.app.add({ city: 'oslo', note: 'Start' })
  await waitUntilSent(first)
  second = await open('second')
  await second.app.waitForVisits(1)
}, 240_000)

afterAll(async () => {
  await Promise.all([first, second].map(one => one?.context.close()))
  await endAll()
  folder.remove()
}, 60_000)

const edit = async ({ page, app }: BrowserDevice, note: string) => {
  await page.locator('.visits li .visit').first().click()
  await app.write({ note })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached', ...PATIENCE })
}

/** A page that has just written may not have been told yet that its change waits, so it is reloaded. */
async function waitUntilSent({ page, app }: BrowserDevice): Promise<void> {
  await page
    .locator('.badge')
    .first()
    .waitFor({ state: 'detached', ...PATIENCE })
  await page.reload()
  await app.waitForNote(/^Up to date$/)
}

/** Both devices change the note; the second, which was offline, is the later one. Returns its card. */
async function conflict(theirs: string, mine: string) {
  await second.page.getByRole('switch').click()
  await edit(second, mine)
  await edit(first, theirs)
  await waitUntilSent(first)
  await second.page.getByRole('switch').click()
  const card = second.page.locator('.overwritten')
  await card.waitFor(PATIENCE)
  const sides = card.locator('dd')
  expect([await sides.nth(0).textContent(), await sides.nth(1).textContent()]).toEqual([mine, theirs])
  return card
}

const waitForNotes = async (note: string) => {
  for (const { page } of [first, second])
    await page.locator('.visits .note').filter({ hasText: note }).waitFor(PATIENCE)
}

inBrowser(
  'of two notes the later stays, and keep mine leaves it',
  async () => {
    const card = await conflict('Harbour closed', 'Harbour open')
    await second.page.setViewportSize({ width: 390, height: 844 })
    expect(await accessibilityProblems(second.page)).toEqual([])
    await second.page.getByRole('button', { name: '1 to compare' }).click()
    expect((await card.boundingBox())?.y).toBeLessThan(500)
    await second.page.setViewportSize({ width: 1440, height: 900 })
    await second.page.reload()
    await card.getByRole('button', { name: 'Keep mine' }).click(PATIENCE)
    await card.waitFor({ state: 'detached', ...PATIENCE })
    await waitForNotes('Harbour open')
  },
  240_000,
)

inBrowser(
  'keep theirs writes the other note again, on both devices',
  async () => {
    const card = await conflict('Pier closed', 'Pier open')
    await card.getByRole('button', { name: 'Keep theirs' }).click()
    await card.waitFor({ state: 'detached', ...PATIENCE })
    await waitForNotes('Pier closed')
  },
  240_000,
)

inBrowser(
  'merge begins with both notes, and writes one',
  async () => {
    const card = await conflict('Ferry at nine', 'Ferry at ten')
    await card.getByRole('button', { name: 'Merge' }).click()
    const text = card.getByLabel('Merged note')
    expect(await text.inputValue()).toBe('Ferry at ten\nFerry at nine')
    await text.fill('Ferries at nine and ten')
    await card.getByRole('button', { name: 'Save merged note' }).click()
    await card.waitFor({ state: 'detached', ...PATIENCE })
    await waitForNotes('Ferries at nine and ten')
  },
  240_000,
)
