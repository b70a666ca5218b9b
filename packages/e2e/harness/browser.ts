import { findProgram } from '@godwit/testing'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = { names: ['chromium', 'chromium-browser', 'google-chrome'], debian: 'chromium' }
const FIREFOX = { names: ['firefox-esr', 'firefox'], debian: 'firefox-esr' }

/** Switches off all requests but those of the pages that a test opens. */
export const QUIET_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

/** The path of a Chromium for tests, by the environment or found; undefined: there is none, and a line has said so. */
export const findChromium = (): string | undefined => process.env['TEST_CHROMIUM'] || findProgram(CHROMIUM)

/** The path of a Firefox for tests, found likewise. */
export const findFirefox = (): string | undefined => process.env['TEST_FIREFOX'] || findProgram(FIREFOX)

/** Opens a browser with an empty profile. Close it when done. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: QUIET_FLAGS, timeout: 60_000 })

/** A page, and what went on behind it. */
export interface WatchedPage {
  readonly page: Page
  /** Every address that it asked for. */
  readonly requests: string[]
  /** What it complained of: errors on the console, what its policy forbade, what was thrown, what could not be loaded. */
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
