import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { inBrowser, LONG, useConsole } from './in-console.js'
import { go, signedIn } from './visit.js'
import { refuseVisit } from './world.js'

const opened = useConsole(() => ({ objects: 60, users: 12, devices: 3 }))

const search = (label: string, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).fill(text)
const choose = (label: string, value: string) => async (page: Page) =>
  void (await page.getByRole('combobox', { name: label, exact: true }).selectOption(value))

interface Filtered {
  readonly path: string
  readonly filters: readonly ((page: Page) => Promise<unknown>)[]
  /** What the address has then. */
  readonly address: string
  /** In each row that is left; undefined: none is. */
  readonly has?: string
}

const LISTS: readonly Filtered[] = [
  { path: 'sources', filters: [search('Name', 'ri')], address: 'sources?name=ri', has: 'Price' },
  {
    path: 'objects?source=Product',
    filters: [search('Contains', 'compass'), search('In attribute', 'name')],
    address: 'objects?source=Product&contains=compass&attribute=name',
    has: 'Compass',
  },
  {
    path: 'users',
    filters: [choose('Role', 'reader'), search('Start at login', 'ri')],
    address: 'users?role=reader&from=ri',
    has: 'rita',
  },
  { path: 'devices', filters: [search('User', 'user0002')], address: 'devices?user=user0002', has: 'user0002' },
  {
    path: 'mutations?state=refused',
    filters: [search('User', 'user0003'), search('Source', 'Visit'), choose('Reason', 'refused')],
    address: 'mutations?state=refused&user=user0003&source=Visit&status=refused',
    has: 'the visit is in the past',
  },
  {
    path: 'jobs',
    filters: [choose('State', 'dead'), search('Queue', 'mail')],
    address: 'jobs?state=dead&queue=mail',
  },
  { path: 'audit', filters: [search('Contains', 'otto')], address: 'audit?text=otto', has: 'otto' },
  {
    path: 'tokens',
    filters: [search('User', 'adm'), choose('Used by', 'scripts')],
    address: 'tokens?login=adm&use=scripts',
    has: 'scripts',
  },
]

/** A path and its filters, which stand in the order in which they were chosen. */
const partsOf = (hash: string): readonly string[] => hash.split(/[?&]/).sort()

/** What the rows say, but for how long ago something was. */
const rowsOf = async (page: Page): Promise<readonly string[]> => {
  const rows = (await page.evaluate(`[...document.querySelectorAll('main .table-body [role=row]')].map(row => {
    const copy = row.cloneNode(true)
    for (const time of copy.querySelectorAll('time')) time.remove()
    return copy.textContent
  })`)) as readonly string[]
  return [...rows].sort()
}

inBrowser.each(LISTS)(
  'the filters of $path stand in the address, and a link shows the same',
  async ({ path, filters, address, has }) => {
    const { world, browser } = opened
    await refuseVisit(world, 1)
    await refuseVisit(world, 2)
    const { page } = await signedIn(browser, world, 'admin')
    await go(page, path)
    for (const filter of filters) await filter(page)
    await page.waitForURL(({ hash }) => partsOf(hash).join() === partsOf(`#/${address}`).join())
    const settle = async (of: Page): Promise<readonly string[]> => {
      if (has === undefined) await of.locator('main').getByRole('heading', { level: 2 }).waitFor()
      else await of.locator('main .table-body [role=row]', { hasText: has }).first().waitFor()
      await of.getByText('Loading…').first().waitFor({ state: 'detached' })
      return rowsOf(of)
    }
    const displayed = await settle(page)
    expect(displayed.filter(row => has === undefined || !row.includes(has))).toEqual([])
    const link = page.url()
    await page.close()
    const { page: other } = await signedIn(browser, world, 'admin')
    await other.goto(link)
    await other.getByRole('heading', { level: 1 }).waitFor()
    expect(await settle(other)).toEqual(displayed)
    await other.close()
  },
  LONG,
)
