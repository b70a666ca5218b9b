import { findProgram } from '@godwit/testing'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Chromium without windows, which starts with a quarter of the processor time, or else any. */
const CHROMIUM = {
  names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  debian: 'chromium-headless-shell',
}
const FIREFOX = { names: ['firefox-esr', 'firefox'], debian: 'firefox-esr' }

/** Flags that disable all requests except those of the tested pages. */
export const QUIET_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

/** Returns the path of a Chromium for tests, from the environment or found; undefined if there is none, after printing a line. */
export const findChromium = (): string | undefined => process.env['TEST_CHROMIUM'] || findProgram(CHROMIUM)

/** Returns the path of a Firefox for tests, found like Chromium. */
export const findFirefox = (): string | undefined => process.env['TEST_FIREFOX'] || findProgram(FIREFOX)

/** Opens a browser with an empty profile. Close it when done. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: QUIET_FLAGS, timeout: 60_000 })

/** A page that records its requests and errors. */
export interface WatchedPage {
  readonly page: Page
  /** Every URL that it requested. */
  readonly requests: string[]
  /** Errors on the console, violations of its policy, exceptions, and failed loads. */
  readonly complaints: string[]
}

export async function openWatchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const page = await browser.newPage(options)
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', request => requests.push(request.url()))
  page.on('requestfailed', request => complaints.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, requests, complaints }
}
