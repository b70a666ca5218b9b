import { partOf } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, describe, test } from '@jest/globals'
import { findChromium, findFirefox } from './browser.js'
import { chromiumKind } from './chromium-tabs.js'
import { firefoxKind } from './firefox-tabs.js'
import { openOnDisk } from './on-disk.js'
import type { BrowserKind, OpenOptions, Profile, TestBrowser } from './tabs.js'

/** The browser that a test of pages runs in. */
export interface BrowserUnderTest {
  readonly kind: BrowserKind
  /** Skips if the browser is not installed. */
  readonly test: typeof test | typeof test.skip
  /** Opens a profile that is closed after the test. */
  newProfile(): Promise<Profile>
  /** Opens a profile that is closed with the browser, after the last test of the file. */
  openProfile(): Promise<Profile>
}

const BROWSERS = [
  { name: 'Chromium', find: findChromium, kindOf: chromiumKind },
  { name: 'Firefox', find: findFirefox, kindOf: firefoxKind },
] as const

/** Describes the tests once for each browser: at night for all of them, else for the one whose turn it is. */
export function inEachBrowser(describeTests: (browser: BrowserUnderTest) => void, options: OpenOptions = {}): void {
  for (const { name, find, kindOf } of partOf(BROWSERS, BROWSERS.length))
    describe(`in ${name}`, () => {
      const path = find()
      const kind = kindOf(path ?? '')
      const profiles: Profile[] = []
      let browser: TestBrowser | undefined
      beforeAll(async () => {
        if (path !== undefined) browser = await (options.isOnDisk ? openOnDisk(kind) : kind.open(options))
      }, 180_000)
      afterEach(async () => {
        for (const profile of profiles.splice(0)) await profile.close()
      })
      afterAll(() => browser?.close())
      const openProfile = async (): Promise<Profile> => {
        if (!browser) throw new Error(`expected an open ${name}`)
        return browser.newProfile()
      }
      describeTests({
        kind,
        test: path === undefined ? test.skip : test,
        async newProfile() {
          const profile = await openProfile()
          profiles.push(profile)
          return profile
        },
        openProfile,
      })
    })
}
