import { AdminClient } from '@godwit/admin-client'
import { freePort, until } from '@godwit/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BrowserContext } from 'playwright-core'
import { accessibilityProblems } from '../harness/accessibility.js'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import { openProfile } from './visits-page.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test
const PATIENCE = { timeout: 120_000 }
const BUTTON = 'Sign in with the demo provider'
const MARIA = 'maria@demo.example'

const folder = temporaryFolder()
let url: string
let operator: AdminClient
const contexts: BrowserContext[] = []

beforeAll(async () => {
  if (chromium === undefined) return
  const environment = { SYNC_DEMO_PROVIDER: String(await freePort()) }
  url = (await startServer({ store: 'memory:', environment })).url
  operator = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
}, 120_000)
afterAll(async () => {
  for (const context of contexts) await context.close()
  await endAll()
  folder.remove()
})

async function openPage(name: string) {
  const context = await openProfile(chromium ?? '', folder.path, name)
  contexts.push(context)
  return context.newPage()
}

inBrowser(
  'Field Visits signs in with the demo provider, and its user and session are on the server',
  async () => {
    const page = await openPage('visits')
    await page.goto(url)
    await page.getByRole('button', { name: BUTTON }).click(PATIENCE)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Maria' }).click(PATIENCE)
    await page.getByTitle(`Signed in as ${MARIA}`).waitFor(PATIENCE)
    expect(page.url()).toBe(`${url}/`)
    expect(await operator.users.get(MARIA)).toMatchObject({ role: 'device', attributes: { team: 'north' } })
    expect(await operator.users.sessions(MARIA)).toHaveLength(1)
  },
  300_000,
)

inBrowser(
  'the console signs in with the demo provider, as a reader',
  async () => {
    const page = await openPage('console')
    await page.goto(`${url}/console/`)
    await page
      .getByRole('link', { name: BUTTON })
      .or(page.getByRole('button', { name: BUTTON }))
      .click(PATIENCE)
    await page.getByRole('link', { name: 'Olga' }).click(PATIENCE)
    await page.getByRole('link', { name: 'Users' }).first().click(PATIENCE)
    await page.getByText(MARIA).first().waitFor(PATIENCE)
    await until(async () => (await operator.users.page({ role: 'reader' })).some(({ login }) => /^olga@/.test(login)))
  },
  120_000,
)
