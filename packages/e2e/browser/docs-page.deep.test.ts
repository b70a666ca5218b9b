import { createSyncServer, type SyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { openWatchedPage } from '../harness/browser.js'
import { useChromium } from '../harness/use-chromium.js'

const chromium = useChromium()

let server: SyncServer
let url: string
beforeAll(async () => {
  server = createSyncServer({ store: openMemoryStore(), sources: [] })
  url = (await server.listen({ port: 0 })).url
})
afterAll(async () => {
  await server?.close()
})

chromium.test('the page of the API opens, finds and unfolds routes, and requests no other origin', async () => {
  const { page, requests, complaints } = await openWatchedPage(chromium.browser)
  await page.goto(`${url}/docs`)
  const operations = page.locator('details.operation')
  const all = await operations.count()
  expect(all).toBeGreaterThan(40)

  await page.keyboard.press('/')
  await page.keyboard.type('ping vibrate')
  expect(await operations.filter({ visible: true }).count()).toBe(1)
  expect(await page.locator('#found').textContent()).toBe(`1 of ${all}`)
  await page.keyboard.press('Enter')
  const ping = page.locator('[id="users.ping"][open]')
  await ping.waitFor()
  expect(await ping.locator('table').first().isVisible()).toBe(true)
  expect(await ping.locator('pre').first().textContent()).toContain(`${url}/rc/v1/users/ping`)

  await page.keyboard.press('Escape')
  expect(await operations.filter({ visible: true }).count()).toBe(all)
  await page.locator('[id="store.read"] summary').click()
  expect(await page.locator('[id="store.read"] h4').first().isVisible()).toBe(true)

  await page.locator('[id="store.read"] .problems a').first().click()
  await page.waitForURL(/\/docs\/errors#/)
  expect(await page.locator('article:target h3').isVisible()).toBe(true)

  expect(requests.filter(address => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([])
  expect(complaints).toEqual([])
})

chromium.test('an address with a route opens that route', async () => {
  const { page, complaints } = await openWatchedPage(chromium.browser)
  await page.goto(`${url}/docs#users.create`)
  expect(await page.locator('[id="users.create"] .body').isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

chromium.test.each([320, 1280])('at a width of %i nothing hangs over the side', async width => {
  const { page } = await openWatchedPage(chromium.browser, { viewport: { width, height: 800 } })
  await page.goto(`${url}/docs`)
  await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
})

chromium.test('without script, every route can be read', async () => {
  const { page } = await openWatchedPage(chromium.browser, { javaScriptEnabled: false })
  await page.goto(`${url}/docs`)
  await page.locator('[id="users.create"] summary').click()
  expect(await page.locator('[id="users.create"] .body').isVisible()).toBe(true)
})
