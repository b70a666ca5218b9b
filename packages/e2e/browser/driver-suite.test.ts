import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { findChromium, openBrowser, watchedPage } from '../harness/browser.js'
import { bundleForBrowser, type StaticServer, serveFiles, sqliteWasm } from '../harness/browser-bundle.js'
import { inWorker } from '../harness/in-worker.js'
import type { TestResult } from './worker/runner.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test

let browser: Browser
let server: StaticServer
beforeAll(async () => {
  if (chromium === undefined) return
  server = await serveFiles({
    '/index.html': '<!doctype html>',
    '/worker.js': await bundleForBrowser({ entry: 'packages/e2e/browser/worker/driver-suite.ts' }),
    '/sqlite3.wasm': sqliteWasm(),
  })
  browser = await openBrowser(chromium)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

inBrowser('the driver on files of the origin does all that the suite of drivers asks', async () => {
  const { page } = await watchedPage(browser)
  await page.goto(server.url)
  const results = await inWorker<readonly TestResult[]>(page, 'run')
  expect(results.filter(({ error }) => error !== undefined)).toEqual([])
  expect(results.length).toBeGreaterThan(35)
})
