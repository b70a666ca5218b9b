import { expect } from '@jest/globals'
import { accessibilityProblems } from '../harness/accessibility.js'
import { inBrowser, isGivenUp, LONG, useConsole } from './in-console.js'
import { go, signedIn } from './visit.js'
import { feedsOfConsole, WAREHOUSE_ERROR } from './world-of-feeds.js'

const opened = useConsole(async () => ({ ...(await feedsOfConsole()), objects: 10, users: 2, devices: 1 }))

inBrowser(
  'each feed is shown with its heartbeat, lag, waiting rows and cursor, and a silent one with what to do',
  async () => {
    const { world, browser } = opened
    for (const width of [390, 1440]) {
      const { page, complaints } = await signedIn(browser, world, 'rita', { width })
      const warning = page
        .getByLabel('Warnings')
        .getByRole('listitem')
        .filter({ hasText: 'The feed warehouse is silent' })
      await warning.getByRole('link', { name: 'View' }).click()
      await page.getByRole('heading', { level: 1, name: 'Feeds' }).waitFor()
      const shop = page.getByRole('region', { name: 'shop' })
      await shop.getByText('Up to date').waitFor()
      await shop.getByText('"mark":"5f0e"').waitFor()
      expect(await shop.locator('dl').textContent()).toMatch(
        /Invoice, Payment[\s\S]*12 rows, 24 KiB of log[\s\S]*"mark":"5f0e"/,
      )
      const warehouse = page.getByRole('region', { name: 'warehouse' })
      await warehouse.getByText(WAREHOUSE_ERROR).waitFor()
      const text = await warehouse.textContent()
      expect(text).toContain('Silent')
      expect(text).toContain('Devices do not get what changed in the backend since 2 hours ago.')
      expect(text).toContain('Remove the cause of the error.')
      expect(text).toContain('{"n":40,"mark":"c3"}')
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect([isWide, await accessibilityProblems(page)]).toEqual([false, []])
      await warehouse.getByRole('link', { name: 'Stock' }).click()
      await page.getByRole('heading', { level: 2, name: 'Stock' }).waitFor()
      await go(page, 'feeds')
      expect(complaints.filter(one => !isGivenUp(one))).toEqual([])
      await page.close()
    }
  },
  LONG,
)
