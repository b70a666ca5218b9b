import { existsSync } from 'node:fs'
import { afterAll, beforeAll, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import { type ConsoleOptions, type ConsoleWorld, FOLDER, openWorld } from './world.js'

const chromium = existsSync(FOLDER) ? findChromium() : undefined

/** Runs where there is a browser and a built console. */
export const inBrowser: typeof test = chromium === undefined ? (test.skip as typeof test) : test

/** Milliseconds for a journey through many pages, each looked at by axe, on a machine that is busy. */
export const LONG = 180_000

/** A page that is left gives up what it waits for. */
export const isGivenUp = (complaint: string): boolean => complaint.includes('ERR_ABORTED')

/** A world and a browser for the tests of a file. */
export function useConsole(options: () => ConsoleOptions | Promise<ConsoleOptions>): {
  readonly world: ConsoleWorld
  readonly browser: Browser
} {
  const opened = {} as { world: ConsoleWorld; browser: Browser }
  beforeAll(async () => {
    if (chromium === undefined) return
    opened.world = await openWorld(await options())
    opened.browser = await openBrowser(chromium)
  }, 120_000)
  afterAll(async () => {
    await opened.browser?.close()
    await opened.world?.server.close()
  })
  return opened
}
