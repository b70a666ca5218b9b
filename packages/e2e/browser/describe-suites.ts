import { afterAll, beforeAll, expect, jest } from '@jest/globals'
import { type StaticServer, serveFiles, sqliteWasm } from '../harness/browser-bundle.js'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { inWorker } from '../harness/in-worker.js'
import type { Tab } from '../harness/tabs.js'
import { bundleSuites, NODE_TESTS } from './engine-suites.js'
import type { TestResult } from './worker/runner.js'

/** Describes a test for each of these suites, in one worker per make of browser. After a failure, the next suite gets a new worker. */
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
    ({ test, openProfile }) => {
      let tab: Promise<Tab> | undefined
      const openTab = async (): Promise<Tab> => (await openProfile()).open(server.url)
      test.each(suites)(
        'in the worker of a browser: %s',
        async suite => {
          tab ??= openTab()
          const opened = await tab
          // Again only if this suite ends well.
          tab = undefined
          const leftOut = Object.keys(NODE_TESTS[suite] ?? {})
          const seed = jest.getSeed()
          const results = await inWorker<readonly TestResult[]>(opened, 'run', suite, seed, leftOut)
          expect(results.filter(({ error }) => error !== undefined)).toEqual([])
          tab = Promise.resolve(opened)
          expect(results.filter(({ isLeftOut }) => isLeftOut).map(({ name }) => name)).toEqual(leftOut)
          expect(results.length).toBeGreaterThan(leftOut.length)
        },
        330_000,
      )
    },
    { isOnDisk: true },
  )
}
