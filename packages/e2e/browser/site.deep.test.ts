import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { accessibilityProblemsInBothModes } from '../harness/accessibility.js'
import { openWatchedPage } from '../harness/browser.js'
import { useChromium } from '../harness/use-chromium.js'

const chromium = useChromium()
const folder = mkdtempSync(join(tmpdir(), 'godwit-site-'))
const addressOf = (page: string): string => pathToFileURL(join(folder, page)).href

beforeAll(() => {
  const program = fileURLToPath(new URL('../../../site/src/build.ts', import.meta.url))
  execFileSync(process.execPath, [program, '--folder', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

chromium.test('the site works from a folder: its search leads to a heading', async () => {
  const { page, requests, complaints } = await openWatchedPage(chromium.browser)
  await page.goto(addressOf('index.html'))
  await page.getByRole('link', { name: 'Build an offline app in ten minutes' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('backup rest')
  await page.getByRole('dialog').getByRole('link').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#.*backup/)
  expect(await page.locator(':target').isVisible()).toBe(true)
  expect(await page.locator('.pages [aria-current]').isVisible()).toBe(true)
  expect(requests.filter(address => !address.startsWith(pathToFileURL(folder).href))).toEqual([])
  expect(complaints).toEqual([])
})

chromium.test('light or dark is chosen once for all pages', async () => {
  const { page } = await openWatchedPage(chromium.browser, { colorScheme: 'light' })
  await page.goto(addressOf('index.html'))
  const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await ground()
  await page.getByRole('button', { name: 'Light or dark' }).click()
  await page.getByRole('button', { name: 'Light or dark' }).click()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.goto(addressOf('docs/sources.html'))
  expect(await ground()).toBe(dark)
})

const PAGES = ['index.html', 'docs/tutorial.html', 'docs/operating/configure.html', 'packages/model/index.html']
chromium.test.each([390, 820, 1440])(
  'at a width of %i the site has no serious barrier, and nothing hangs over the side',
  async width => {
    const { page } = await openWatchedPage(chromium.browser, { viewport: { width, height: 900 } })
    for (const name of PAGES) {
      await page.goto(addressOf(name))
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect([name, await accessibilityProblemsInBothModes(page)]).toEqual([name, []])
    }
  },
)
