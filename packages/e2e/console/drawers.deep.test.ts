import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { ALL_IMPACTS, accessibilityProblemsInBothModes } from '../harness/accessibility.js'
import { openWatchedPage } from '../harness/browser.js'
import { inBrowser, LONG, useConsole } from './in-console.js'
import { go, PAGES, signedIn } from './visit.js'
import { type ConsoleWorld, refuseVisit } from './world.js'

const opened = useConsole(() => ({ objects: 60, users: 6, devices: 2 }))

const click = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

interface Place {
  readonly path: string
  /** What is opened there. */
  readonly open?: (page: Page) => Promise<unknown>
}

/** Everything that opens beside a list, and the pages themselves. */
async function placesOf(world: ConsoleWorld): Promise<readonly Place[]> {
  const { admin, devices } = world
  await refuseVisit(world, 1)
  const [doubt] = await admin.operations.undecided()
  const [refusal] = (await admin.operations.refusals()).refusals
  const [entry] = await admin.operations.audit({ limit: 1 })
  const object = 'objects?source=Product&open=1000007'
  return [
    ...PAGES.map(([path]) => ({ path })),
    { path: 'sources?open=Price' },
    { path: 'sources?open=Visit&user=user0001' },
    { path: object },
    { path: object, open: click('Edit') },
    { path: 'objects?source=Product&open=nowhere' },
    { path: 'objects?source=Product&document=md_size' },
    { path: 'users?open=user0001' },
    { path: 'users?open=user0001', open: click('Edit attributes') },
    { path: 'users?role=reader&open=rita' },
    { path: 'users?make=yes' },
    { path: `devices?open=${devices[0]?.client}` },
    { path: 'explain?source=Product&user=user0001&object=nowhere' },
    { path: `mutations?open=${doubt?.id}` },
    { path: `mutations?state=refused&open=${refusal?.id}` },
    { path: `audit?open=${entry?.number}` },
  ]
}

inBrowser(
  'axe finds nothing on any page or in what opens there, light or dark',
  async () => {
    const { world, browser } = opened
    const places = await placesOf(world)
    const { page } = await signedIn(browser, world, 'admin')
    const found: string[] = []
    for (const { path, open } of places) {
      await go(page, path)
      if (/[?&](open|make)=/.test(path)) await page.getByRole('complementary').waitFor()
      await page.getByText('Loading…').first().waitFor({ state: 'detached' })
      await open?.(page)
      for (const barrier of await accessibilityProblemsInBothModes(page, ALL_IMPACTS)) found.push(`${path}, ${barrier}`)
    }
    expect(found).toEqual([])
    await page.close()
  },
  LONG,
)

inBrowser('the sign-in, and the pages behind "More" on a phone, have no barriers either', async () => {
  const { world, browser } = opened
  const { page: first } = await openWatchedPage(browser)
  await first.goto(`${world.url}/console/`)
  await first.getByLabel('Login').waitFor()
  expect(await accessibilityProblemsInBothModes(first, ALL_IMPACTS)).toEqual([])
  await first.close()
  const { page } = await signedIn(browser, world, 'admin', { width: 390 })
  await click('More')(page)
  await page.getByRole('dialog', { name: 'More pages' }).waitFor()
  expect(await accessibilityProblemsInBothModes(page, ALL_IMPACTS)).toEqual([])
  await page.close()
})
