import { afterAll, beforeAll, expect } from '@jest/globals'
import { bundleForBrowser, type StaticServer, serveFiles, sqliteWasm } from '../harness/browser-bundle.js'
import { inWorker } from '../harness/in-worker.js'
import type { Tab } from '../harness/tabs.js'
import type { TestResult } from './worker/runner.js'

/** Serves the conformance suite of drivers to the tests of a file. */
export function useDriverSuite() {
  let server: StaticServer
  beforeAll(async () => {
    server = await serveFiles({
      '/index.html': '<!doctype html>',
      '/worker.js': await bundleForBrowser({ entry: 'packages/e2e/browser/worker/driver-suite.ts' }),
      '/sqlite3.wasm': sqliteWasm(),
    })
  }, 120_000)
  afterAll(async () => {
    await server?.close()
  })
  return {
    get url() {
      return server.url
    },
    /** Runs it in the worker of a page that came from there. */
    async run(tab: Pick<Tab, 'evaluate'>): Promise<void> {
      const results = await inWorker<readonly TestResult[]>(tab, 'run')
      expect(results.filter(({ error }) => error !== undefined)).toEqual([])
      expect(results.length).toBeGreaterThan(35)
    },
  }
}
