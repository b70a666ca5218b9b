import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import { type StaticServer, serveFiles, sqliteWasm } from '../harness/browser-bundle.js'
import { inWorker } from '../harness/in-worker.js'
import { bundleSuites, engineSuites, NODE_SUITES, OPEN_SUITES } from './engine-suites.js'
import type { TestResult } from './worker/runner.js'

const chromium = findChromium()
const inBrowser = chromium === undefined ? test.skip : test
const suites = engineSuites().filter(suite => !(suite in NODE_SUITES) && !(suite in OPEN_SUITES))
let browser: Browser
let server: StaticServer
const passed: string[] = []
beforeAll(async () => {
  if (chromium === undefined) return
  server = await serveFiles({
    '/index.html': '<!doctype html>',
    '/worker.js': await bundleSuites(suites),
    '/sqlite3.wasm': sqliteWasm(),
  })
  browser = await openBrowser(chromium)
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

inBrowser.each(suites)(
  'in the worker of a browser: %s',
  async suite => {
    // Files and the worker of a suite go with its context.
    const page = await browser.newPage()
    await page.goto(server.url)
    const results = await inWorker<readonly TestResult[]>(page, 'run', suite, Number(process.env['PROPERTY_SEED']))
    await page.context().close()
    expect(results.filter(({ error }) => error !== undefined)).toEqual([])
    expect(results.length).toBeGreaterThan(0)
    passed.push(...results.filter(({ error }) => error === undefined).map(({ name }) => name))
  },
  300_000,
)

inBrowser('in the worker of a browser over 600 tests pass', () => {
  expect(passed.length).toBeGreaterThan(600)
})
