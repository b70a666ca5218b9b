import { spawn } from 'node:child_process'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { QUIET_FLAGS } from './browser.js'
import { openChromiumOnDisk } from './chromium-on-disk.js'
import { type BrowserKind, type OnDiskOptions, PLAIN_NAME, type Profile, type Tab } from './tabs.js'

/** Adapts a page to a tab. */
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

export const profileOf = (context: BrowserContext, { quota }: OnDiskOptions = {}): Profile => ({
  async open(url, script) {
    const page = await context.newPage()
    if (quota !== undefined) await limitStorage(page, new URL(url).origin, quota)
    if (script !== undefined) await page.addInitScript(script)
    await page.goto(url)
    return tabOf(page)
  },
  close: () => context.close(),
})

/** Limits the storage of an origin, in bytes, while the page is open. */
async function limitStorage(page: Page, origin: string, quotaSize: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize })
}

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
  async openOn(folder, options = {}) {
    const { browser, close, kill } = await openMortalBrowser(path, folder)
    const [context] = browser.contexts()
    if (!context) throw new Error('expected a context of the browser')
    return { profile: profileOf(context, options), close, kill }
  },
})

/** A browser that can be killed and whose profile remains. */
interface MortalBrowser {
  readonly browser: Browser
  close(): Promise<void>
  /** Kills all of its processes with SIGKILL. */
  kill(): Promise<void>
}

async function openMortalBrowser(executablePath: string, profile: string): Promise<MortalBrowser> {
  const words = ['--headless', ...QUIET_FLAGS, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(executablePath, words, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = new Promise<void>(resolve => child.once('close', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, found] = said.match(/DevTools listening on (ws:\S+)/) ?? []
      if (found !== undefined) resolve(found)
    })
    void exit.then(() => reject(new Error(`the browser ended before it listened:\n${said}`)))
  })
  const browser = await chromium.connectOverCDP(address)
  return {
    browser,
    async close() {
      const session = await browser.newBrowserCDPSession()
      // The browser may exit before it responds.
      await session.send('Browser.close').catch(() => {})
      await exit
    },
    async kill() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL')
      await exit
    },
  }
}
