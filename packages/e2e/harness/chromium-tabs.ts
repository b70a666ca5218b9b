import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { QUIET_FLAGS } from './browser.js'
import { openChromiumOnDisk } from './chromium-on-disk.js'
import { openMortalBrowser } from './mortal-browser.js'
import { type BrowserKind, PLAIN_NAME, type Profile, type Tab } from './tabs.js'

/** A page as a tab. */
export const tabOf = (page: Page): Tab => ({
  evaluate: script => page.evaluate(script),
  async waitFor(script, { every = 50, within = 30_000 } = {}) {
    await page.waitForFunction(script, undefined, { polling: every, timeout: within })
  },
  async reload() {
    await page.reload()
  },
  close: () => page.close(),
})

export const profileOf = (context: BrowserContext): Profile => ({
  async open(url, script) {
    const page = await context.newPage()
    if (script !== undefined) await page.addInitScript(script)
    await page.goto(url)
    return tabOf(page)
  },
  close: () => context.close(),
})

export const chromiumKind = (path: string): BrowserKind => ({
  name: 'Chromium',
  async open({ isPrivate = false } = {}) {
    const resolve = `--host-resolver-rules=MAP ${PLAIN_NAME} 127.0.0.1`
    if (!isPrivate)
      return { newProfile: async () => profileOf(await openChromiumOnDisk(path, [resolve])), close: async () => {} }
    const words = [...QUIET_FLAGS, resolve, '--incognito']
    const browser = await chromium.launch({ executablePath: path, args: words, timeout: 60_000 })
    return {
      newProfile: async () => profileOf(await browser.newContext()),
      close: () => browser.close(),
    }
  },
  async openOn(folder) {
    const { browser, kill } = await openMortalBrowser(path, folder)
    const [context] = browser.contexts()
    if (!context) throw new Error('expected a context of the browser')
    return { profile: profileOf(context), kill }
  },
})
