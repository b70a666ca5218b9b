import { rmSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer, { type BrowserContext, type LaunchOptions, type Page } from 'puppeteer-core'
import { type BrowserKind, PLAIN_NAME, type Profile, type Tab } from './tabs.js'

const LAUNCH_TIMEOUT = 120_000
/** Firefox's storage limit for all origins in KiB, of which one origin may use a fifth; -1 is the default. Stored in the profile. */
const STORAGE_SETTING = 'dom.quotaManager.temporaryStorage.fixedLimit'

const tabOf = (page: Page): Tab => ({
  evaluate: script => page.evaluate(script),
  async waitFor(script, { every = 50, within = 30_000 } = {}) {
    await page.waitForFunction(script, { polling: every, timeout: within })
  },
  async reload() {
    await page.reload()
  },
  close: () => page.close(),
})

const profileOf = (context: BrowserContext): Profile => ({
  async open(url, script) {
    const page = await context.newPage()
    if (script !== undefined) await page.evaluateOnNewDocument(script)
    await page.goto(url)
    return tabOf(page)
  },
  async close() {
    if (context.id !== undefined) return context.close()
    // The default context cannot be closed, only its pages.
    for (const page of await context.pages()) await page.close()
  },
})

export const firefoxKind = (path: string): BrowserKind => {
  const launch = (options: LaunchOptions) =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath: path,
      timeout: LAUNCH_TIMEOUT,
      protocolTimeout: LAUNCH_TIMEOUT,
      ...options,
    })
  return {
    name: 'Firefox',
    async open({ isPrivate = false } = {}) {
      const browser = await launch({
        extraPrefsFirefox: {
          'network.dns.localDomains': PLAIN_NAME,
          'browser.privatebrowsing.autostart': isPrivate,
        },
      })
      return {
        // Private windows do not support separate contexts.
        newProfile: async () =>
          profileOf(isPrivate ? browser.defaultBrowserContext() : await browser.createBrowserContext()),
        close: () => browser.close(),
      }
    },
    async openOn(folder, { quota } = {}) {
      const limit = quota === undefined ? -1 : (quota * 5) / 1024
      const browser = await launch({ userDataDir: folder, extraPrefsFirefox: { [STORAGE_SETTING]: limit } })
      // Otherwise Puppeteer restores these backups after the process has ended, while the next process already uses the profile.
      for (const file of ['user.js', 'prefs.js']) rmSync(join(folder, `${file}.puppeteer`), { force: true })
      const child = browser.process()
      if (child?.pid === undefined) throw new Error('expected the process of the browser')
      const exit = new Promise<void>(resolve => child.once('close', () => resolve()))
      return {
        profile: profileOf(browser.defaultBrowserContext()),
        async close() {
          await browser.close()
          await exit
        },
        async kill() {
          if (child.exitCode === null && child.signalCode === null) {
            process.kill(-(child.pid as number), 'SIGKILL')
            await exit
          }
        },
      }
    },
  }
}
