import type { Browser, Page } from 'playwright-core'
import { openWatchedPage, type WatchedPage } from '../harness/browser.js'
import { type ConsoleWorld, PASSWORDS } from './world.js'

export type Login = keyof typeof PASSWORDS

export const PAGES = [
  ['overview', 'Overview'],
  ['sources', 'Sources'],
  ['feeds', 'Feeds'],
  ['objects', 'Objects'],
  ['users', 'Users'],
  ['devices', 'Devices'],
  ['explain', 'Why is it missing?'],
  ['mutations', 'Mutations'],
  ['jobs', 'Jobs'],
  ['audit', 'Audit'],
  ['tokens', 'Tokens'],
  ['settings', 'Settings'],
] as const

interface Options {
  readonly width?: number
  readonly dark?: boolean
}

/** A page of the console, in which somebody has signed in. */
export async function signedIn(
  browser: Browser,
  { url }: Pick<ConsoleWorld, 'url'>,
  login: Login,
  { width = 1440, dark = false }: Options = {},
): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser, {
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const { page } = watched
  await page.goto(`${url}/console/`)
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(PASSWORDS[login])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  // The console asked for the session, and there was none.
  watched.complaints.length = 0
  return watched
}

/** Goes there as by a link. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('.state .spinner').first().waitFor({ state: 'detached' })
}
