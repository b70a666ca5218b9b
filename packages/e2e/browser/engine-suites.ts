import { readdirSync } from 'node:fs'
import { bundleForBrowser } from '../harness/browser-bundle.js'
import { inRepository } from '../harness/process.js'

const SOURCES = 'packages/model/src'

/** Suites that do not run in a worker, and what they need that is not there. */
export const NODE_SUITES: { readonly [suite: string]: string } = {
  'browser/memory-drive.test.ts': 'reads sqlite3.wasm from a folder; driver-suite.test.ts has the driver in a worker',
  'browser/opfs.test.ts': 'a platform without files of the origin',
  'browser/development.test.ts': 'replaces globals; development.deep.test.ts has the real ones',
  'platform/sha256.test.ts': 'compares with node:crypto',
  'browser/sqlite3.test.ts': 'a server of node:http',
  'browser/warm-up.test.ts': 'reads sqlite3.wasm from a folder',
  'browser/wasm-imports.test.ts': 'reads sqlite3.wasm from a folder',
  'database/tables/entry-count.test.ts': 'opens a device in two processes: handles of the origin are exclusive',
  'database/kept-layout.test.ts': 'reads files that are kept in a folder',
  'database/reopening.test.ts': 'opens a file twice: handles of the origin are exclusive',
  'database/files.test.ts': 'reads the files of a device in a folder',
  'drivers/conformance.test.ts': 'the drivers for Node; driver-suite.test.ts has the one of browsers',
  'drivers/drivers.test.ts': 'the drivers for Node',
  'drivers/encryption.test.ts': 'the driver that encrypts is for Node',
  'drivers/node-fetch.test.ts': 'the fetch of Node and a server of node:http',
  'drivers/own-files.test.ts': 'owners and modes of files',
  'drivers/require-node.test.ts': 'versions of Node',
  'sdk/engines-with-less.test.ts': 'bundles sources and runs them in node:vm',
  'platform/promised-files.test.ts': 'reads files in a folder',
  'node-in-browsers.test.ts': 'the entry for Node, bundled by mistake',
  'orm/records.test.ts': 'reads sources of the package',
  'outbox/seen-values.test.ts': 'compares with node:crypto',
  'records/new-id.test.ts': 'random bytes of node:crypto',
  'remote/actions.test.ts': 'ports of node:worker_threads',
  'remote/calls.test.ts': 'reads sources of the package',
  'remote/handshake.test.ts': 'ports of node:worker_threads',
  'remote/remote.test.ts': 'ports of node:worker_threads',
  'remote/source-statuses.test.ts': 'ports of node:worker_threads',
  'remote/subscriptions.test.ts': 'ports of node:worker_threads',
  'remote/remote.types.test.ts': 'types alone',
  'run/copied-device.test.ts': 'copies the folder of a device',
  'sync/any-history.deep.test.ts': 'more histories of any-history.test.ts',
  'sync/partition-history.deep.test.ts': 'more histories of partition-history.test.ts',
  'blobs/blob-resent.test.ts': 'blobs that are files in a folder',
  'bulk/bulk-client.test.ts': 'bulk data in a folder',
  'bulk/bulk-first-query.test.ts': 'bulk data in a folder',
  'bulk/bulk-in-parts.test.ts': 'bulk data in a folder',
  'bulk/bulk-older-file.test.ts': 'bulk data in a folder',
  'bulk/bulk-restored-server.test.ts': 'bulk data in a folder',
  'bulk/without-files.test.ts': 'bulk data in a folder',
  'http/response-shapes.test.ts': 'blobs that are files in a folder',
  'sync/full-disk.test.ts': 'bulk data in a folder; storage.deep.test.ts has the full disk of browsers',
  'sync/short-transactions.test.ts': 'bulk data in a folder',
  'sync/quotas.test.ts': 'blobs that are files in a folder',
  'sync/stop.test.ts': 'blobs that are files in a folder',
  'sync/torn-commit.test.ts': 'cuts files in a folder short',
  'sync/two-versions.test.ts': 'two connections to a device: handles of the origin are exclusive',
  'typed/any-change.deep.test.ts': 'more histories of any-change.test.ts',
  'typed/blobs.test.ts': 'blobs that are files in a folder',
  'typed/language-service.types.deep.test.ts': 'types alone',
  'typed/time-limit.test.ts': 'reads sqlite3.wasm from a folder',
  'typed/typed.types.test.ts': 'types alone',
}

/** Tests of the other suites that do not run there either, by their names. */
export const NODE_TESTS: { readonly [suite: string]: { readonly [test: string]: string } } = {
  'sync/apply-outcomes.test.ts': {
    'a photo that the app wrote is shown though its object became one with another that it made':
      'blobs that are files in a folder',
  },
  'sync/sync.test.ts': {
    'one process synchronizes; others read and write':
      'opens a device in two processes: handles of the origin are exclusive',
  },
}

/** Every suite of the engine, by its path in the sources of `@godwit/model`. */
export const engineSuites = (): readonly string[] =>
  readdirSync(inRepository(SOURCES), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts'))
    .toSorted()

/** As many files run the suites of browsers, so that no worker is left with a long one. */
const PARTS = 3

/** A part of the suites that run in a worker, by its number from 1: every third one, as those that take long stand together. */
export const partOfSuites = (part: number): readonly string[] =>
  engineSuites()
    .filter(suite => !(suite in NODE_SUITES))
    .filter((_, at) => at % PARTS === part - 1)

/** Suites as one script for a worker: each is imported when it is run. */
export function bundleSuites(suites: readonly string[]): Promise<string> {
  const imports = suites.map(suite => `${JSON.stringify(suite)}: () => import('../../../${SOURCES}/${suite}'),`)
  const text = `
import './worker/suite-globals.js'
import fc from 'fast-check'
import { runAll } from './worker/runner.js'
import { serve } from './worker/serve.js'
import { nameAfter } from './worker/suite-places.js'
const suites = { ${imports.join('\n')} }
serve({
  async run(suite, seed, leftOut) {
    fc.configureGlobal({ seed })
    nameAfter(suite)
    await suites[suite]()
    return runAll(leftOut)
  },
})`
  return bundleForBrowser({
    entry: { text, folder: 'packages/e2e/browser' },
    instead: {
      '@jest/globals': 'packages/e2e/browser/worker/runner.ts',
      '@godwit/testing': 'packages/e2e/browser/worker/suite-testing.ts',
      './places.js': 'packages/e2e/browser/worker/suite-places.ts',
      '../node.js': 'packages/e2e/browser/worker/suite-sdk.ts',
    },
  })
}
