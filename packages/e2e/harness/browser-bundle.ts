import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build, type Plugin } from 'esbuild'
import { inRepository } from './process.js'

/** Stubs Node's modules, which a test runner imports but never calls in a browser. The stub has no `then`, since awaiting it would hang. */
const emptyNode: Plugin = {
  name: 'empty-node',
  setup({ onResolve, onLoad }) {
    const builtins =
      /^(node:)?(fs|path|os|url|util|module|stream|buffer|assert|events|tty|crypto|process|child_process|worker_threads|http|net|zlib|graceful-fs)(\/.*)?$/
    onResolve({ filter: builtins }, ({ path }) => ({ path, namespace: 'empty' }))
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({
      contents: `const nothing = new Proxy(function () {}, { get: (_, name) => name === Symbol.toPrimitive ? () => '' : name === '__esModule' ? true : name === 'then' ? undefined : nothing, apply: () => nothing, construct: () => nothing })
module.exports = Object.create(nothing)`,
      loader: 'js',
    }))
  },
}

/** Options of `bundleForBrowser`. */
export interface BundleOptions {
  /** A path in the repository, or source text with the folder in which its imports are resolved. */
  readonly entry: string | { readonly text: string; readonly folder: string }
  /** Replacement files in the repository, by the end of the replaced import path. */
  readonly instead?: { readonly [ending: string]: string }
}

/** Bundles a TypeScript entry as one ES module for a browser. */
export async function bundleForBrowser({ entry, instead = {} }: BundleOptions): Promise<string> {
  const replace: Plugin = {
    name: 'replace',
    setup({ onResolve }) {
      for (const [ending, path] of Object.entries(instead)) {
        const filter = new RegExp(`${ending.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
        onResolve({ filter }, () => ({ path: inRepository(path) }))
      }
    },
  }
  const { outputFiles } = await build({
    ...(typeof entry === 'string'
      ? { entryPoints: [inRepository(entry)] }
      : { stdin: { contents: entry.text, resolveDir: inRepository(entry.folder), loader: 'ts' } }),
    absWorkingDir: inRepository('packages/e2e'),
    nodePaths: [inRepository('packages/e2e/node_modules')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    // Like the bundlers of apps: not every browser supports the syntax of the sources.
    target: 'es2022',
    conditions: ['source'],
    define: { 'process.env.NODE_ENV': '"test"', global: 'globalThis', __dirname: '""', __filename: '""' },
    banner: {
      js: 'globalThis.process ??= { env: {}, platform: "browser", versions: {}, cwd: () => "/", nextTick: queueMicrotask };',
    },
    plugins: [replace, emptyNode],
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** Reads `sqlite3.wasm`, which belongs beside the script that loads it. */
export const sqliteWasm = (): Buffer => readFileSync(inRepository('packages/model/src/browser/sqlite3.wasm'))

const TYPES: { readonly [ending: string]: string } = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  wasm: 'application/wasm',
}

export interface StaticServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves files from memory, by path. */
export async function serveFiles(files: { readonly [path: string]: string | Buffer }): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/[?#].*$/, '')
    const file = files[path === '/' ? '/index.html' : path]
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? TYPES['html']
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type })
    response.end(file)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
