import { afterAll, afterEach, beforeAll, test } from '@jest/globals'
import type { Browser, BrowserContext } from 'playwright-core'
import { findChromium, openBrowser } from './browser.js'
import { openChromiumOnDisk } from './chromium-on-disk.js'

/** A Chromium for the tests of a file. */
export interface ChromiumUnderTest {
  /** Skips if Chromium is not installed. */
  readonly test: typeof test | typeof test.skip
  /** Available from the first test on. */
  readonly browser: Browser
  /** Opens an empty profile on disk, like those of users. It is closed after the test. */
  newContext(): Promise<BrowserContext>
}

/** Opens a Chromium before the first test of a file and closes it after the last. */
export function useChromium(): ChromiumUnderTest {
  const path = findChromium()
  const contexts: BrowserContext[] = []
  let opened: Browser | undefined
  beforeAll(async () => {
    if (path !== undefined) opened = await openBrowser(path)
  }, 120_000)
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(() => opened?.close())
  const browser = (): Browser => {
    if (opened) return opened
    throw new Error('expected an open Chromium, got none: it is open while tests run')
  }
  return {
    test: path === undefined ? test.skip : test,
    get browser() {
      return browser()
    },
    async newContext() {
      const context = await openChromiumOnDisk(path ?? '')
      contexts.push(context)
      return context
    },
  }
}
