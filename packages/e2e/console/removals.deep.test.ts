import { defineSource } from '@godwit/server'
import { beforeAll, expect } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { accessibilityProblemsInBothModes } from '../harness/accessibility.js'
import { inBrowser, isGivenUp, LONG, useConsole } from './in-console.js'
import { go, signedIn } from './visit.js'
import type { ConsoleWorld } from './world.js'

const objects = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`id ${at}`, {}]))

let stores = 200
let tasks = 150
const sources = [
  defineSource<object>({ name: 'Store', partition: 'app', pollInterval: -1, query: () => objects(stores) }),
  defineSource<object>({ name: 'Task', pollInterval: -1, query: () => objects(tasks) }),
]

const opened = useConsole(() => ({ objects: 10, users: 3, devices: 1, sources }))
let world: ConsoleWorld
let browser: Browser
beforeAll(async () => {
  ;({ world, browser } = opened)
  if (world === undefined) return
  const { readState } = world.admin
  const refreshAll = () => Promise.all([readState.refresh('*', 'Store'), readState.refresh('user0001', 'Task')])
  await refreshAll()
  ;[stores, tasks] = [0, 20]
  await refreshAll()
})

inBrowser(
  'removals that are held back are found on the overview, and applied at once',
  async () => {
    const { page, complaints } = await signedIn(browser, world, 'otto')
    const warning = page.getByRole('listitem').filter({ hasText: 'Store: 200 removals held back since' })
    await warning.waitFor({ timeout: 30_000 })
    await warning.getByRole('link', { name: 'View' }).click()
    const drawer = page.getByRole('complementary', { name: 'Store' })
    await drawer.getByText('They stay until an operator applies them.').waitFor()
    expect(await accessibilityProblemsInBothModes(page)).toEqual([])
    await drawer.getByRole('button', { name: 'Apply…' }).click()
    await page.getByRole('button', { name: 'Apply now' }).click()
    await page.getByText('The removals were applied: Store has 0 objects.').waitFor()
    await drawer.getByRole('button', { name: 'Apply…' }).waitFor({ state: 'detached' })

    await go(page, 'sources?open=Task')
    await page.getByRole('list', { name: 'Removals held back' }).getByRole('link', { name: 'user0001' }).click()
    await page.getByText('130 removals held back since').waitFor()
    tasks = 140
    await page.getByRole('button', { name: 'Apply…' }).click()
    await page.getByRole('button', { name: 'Apply now' }).click()
    // The backend has most of them again.
    await page.getByText('The removals were applied: Task has 140 objects.').waitFor()
    expect(complaints.filter(one => !isGivenUp(one))).toEqual([])
    await page.close()
  },
  LONG,
)

inBrowser('a reader sees removals that are held back, and cannot apply them', async () => {
  ;[stores, tasks] = [150, 140]
  await world.admin.readState.refresh('*', 'Store')
  stores = 10
  await world.admin.readState.refresh('*', 'Store')
  const { page } = await signedIn(browser, world, 'rita')
  await go(page, 'sources?open=Store')
  await page.getByText('140 removals held back since').waitFor()
  expect(await page.getByRole('button', { name: 'Apply…' }).count()).toBe(0)
  await page.close()
})
