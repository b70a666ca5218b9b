import { expect } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { useChromium } from '../harness/use-chromium.js'
import { usePages } from './use-pages.js'

const { test, newContext } = useChromium()
const pages = usePages()

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${pages.url}/`)
  return page
}
const add = (page: Page, text: string) => page.evaluate(`device.models.Draft.create({ text: '${text}' })`)
const texts = (page: Page) =>
  page.evaluate('device.models.Draft.find().then(rows => rows.map(({ text }) => text).toSorted())')
const roleOf = (page: Page) => page.evaluate('device.status.current().role')

test('the tab beside an owner that crashed goes on with all that was stored', async () => {
  const context = await newContext()
  const [first, second] = [await openPage(context), await openPage(context)]
  await add(first, 'a')
  expect(await texts(second)).toEqual(['a'])
  await add(first, 'b')
  const session = await context.newCDPSession(first)
  // The tab goes before it answers.
  void session.send('Page.crash').catch(() => {})
  expect(await texts(second)).toEqual(['a', 'b'])
  await add(second, 'c')
  expect(await roleOf(second)).toBe('owner')
  expect(await texts(second)).toEqual(['a', 'b', 'c'])
})

const HIDE = `Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
document.dispatchEvent(new Event('visibilitychange'))`

test('an owner that is hidden goes on for the tab that is seen', async () => {
  const context = await newContext()
  const [first, second] = [await openPage(context), await openPage(context)]
  await add(first, 'a')
  await first.evaluate(HIDE)
  await add(second, 'b')
  expect([await roleOf(first), await roleOf(second)]).toEqual(['owner', 'guest'])
  expect(await texts(first)).toEqual(['a', 'b'])
})
