import { afterAll, beforeAll, expect } from '@jest/globals'
import { type StaticServer, serveFiles, sqliteWasm } from '../harness/browser-bundle.js'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { inWorker } from '../harness/in-worker.js'
import { bundleSuites, NODE_TESTS } from './engine-suites.js'
import type { TestResult } from './worker/runner.js'

/** Describes a test for each of these suites, in the worker of each make of browser. */
export function describeSuites(suites: readonly string[]): void {
  let server: StaticServer
  beforeAll(async () => {
    server = await serveFiles({
      '/index.html': '<!doctype html>',
      '/worker.js': await bundleSuites(suites),
      '/sqlite3.wasm': sqliteWasm(),
    })
  }, 180_000)
  afterAll(async () => {
    await server?.close()
  })
  inEachBrowser(
    ({ test, newProfile }) => {
      test.each(suites)(
        'in the worker of a browser: %s',
        async suite => {
          const tab = await (await newProfile()).open(server.url)
          const leftOut = Object.keys(NODE_TESTS[suite] ?? {})
          const seed = Number(process.env['PROPERTY_SEED'])
          const results = await inWorker<readonly TestResult[]>(tab, 'run', suite, seed, leftOut)
          expect(results.filter(({ error }) => error !== undefined)).toEqual([])
          expect(results.filter(({ isLeftOut }) => isLeftOut).map(({ name }) => name)).toEqual(leftOut)
          expect(results.length).toBeGreaterThan(leftOut.length)
        },
        330_000,
      )
    },
    { isOnDisk: true },
  )
}
