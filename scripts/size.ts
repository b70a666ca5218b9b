/** Checks the size of the code that devices and browsers load, minified and compressed, and that browsers load no schema. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './workspace.ts'

const KIB = 1024

interface SizeLimit {
  readonly name: string
  readonly file: string
  /** The imported names. Default: all. */
  readonly names?: string
  /** Maximum bytes. */
  readonly limit: number
  readonly platform: 'browser' | 'node'
  /** True if a worker loads it; only workers may contain the engine. */
  readonly isWorker?: true
}

const LOADED: readonly SizeLimit[] = [
  { name: '@godwit/protocol', file: 'protocol/dist/index.js', limit: 6.2 * KIB, platform: 'browser' },
  { name: '@godwit/admin-client', file: 'admin-client/dist/index.js', limit: 6.5 * KIB, platform: 'browser' },
  { name: '@godwit/react', file: 'react/dist/index.js', limit: 3 * KIB, platform: 'browser' },
  { name: '@godwit/devtools', file: 'devtools/dist/always.js', limit: 5 * KIB, platform: 'browser' },
  { name: '@godwit/model/browser', file: 'model/dist/browser.js', limit: 7 * KIB, platform: 'browser' },
  // The engine, and the driver for SQLite in WebAssembly.
  {
    name: '@godwit/model/browser/worker',
    file: 'model/dist/browser/worker.js',
    limit: 93.5 * KIB,
    platform: 'browser',
    isWorker: true,
  },
  // The part of a page that uses a device in another thread, without the engine.
  {
    name: '@godwit/model/remote in a page',
    file: 'model/dist/remote.js',
    names: '{ openRemote, remoteActions, remoteLink }',
    limit: 4.5 * KIB,
    platform: 'browser',
  },
  // Both model APIs with relations, text search and SQL, the sync client, call records, the trace for tools, and the drivers for Node.
  { name: '@godwit/model/node', file: 'model/dist/node.js', limit: 82.2 * KIB, platform: 'node' },
]

/** Words that occur only in JSON Schemas. */
const SCHEMA_WORDS = /\b(additionalProperties|minLength|maxLength|\$ref)\b/

/** A text that occurs only in the engine. */
const ENGINE_WORDS = /CREATE TABLE/

for (const { name, file, names = '*', limit, platform, isWorker } of LOADED) {
  const { outputFiles } = await build({
    stdin: { contents: `export ${names} from './${file}'`, resolveDir: join(root, 'packages') },
    bundle: true,
    minify: true,
    format: 'esm',
    platform,
    external: ['better-sqlite3', 'better-sqlite3-multiple-ciphers', 'react', 'react-dom'],
    write: false,
    logLevel: 'error',
  })
  const code = outputFiles.map(({ text }) => text).join('')
  const bytes = brotliCompressSync(code).length
  const schema = SCHEMA_WORDS.exec(code)

  if (platform === 'browser' && !isWorker && ENGINE_WORDS.test(code))
    throw new Error(`${name} carries the engine: a page never imports what a worker imports.`)
  if (schema) throw new Error(`${name} carries a schema: found ${schema[0]}. Schemas belong to ./schemas.`)
  if (bytes > limit) throw new Error(`${name} has ${bytes} bytes compressed, expected at most ${limit}.`)
  process.stdout.write(`${name}: ${bytes} bytes minified and compressed (at most ${limit}), no schema\n`)
}

const WASM_LIMIT = 360 * KIB
const wasmBytes = brotliCompressSync(readFileSync(join(root, 'packages/model/dist/browser/sqlite3.wasm'))).length
if (wasmBytes > WASM_LIMIT)
  throw new Error(`sqlite3.wasm has ${wasmBytes} bytes compressed, expected at most ${WASM_LIMIT}.`)
process.stdout.write(`sqlite3.wasm: ${wasmBytes} bytes compressed (at most ${WASM_LIMIT})\n`)

/** The complete console as sent to a browser with brotli, and the part that the sign-in page waits for. */
const CONSOLE = join(root, 'apps/server/pages/console')
const CONSOLE_LIMIT = 250 * KIB
const FIRST_LIMIT = 150 * KIB

const sentBytes = (file: string): number => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
const files = readdirSync(CONSOLE, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name))
const page = readFileSync(join(CONSOLE, 'index.html'), 'utf8')
const first = files.filter(file => page.includes(file.slice(CONSOLE.length + 1)) || /\.(html|woff2)$/.test(file))
const sum = (some: readonly string[]): number => some.reduce((all, file) => all + sentBytes(file), 0)

for (const [name, bytes, limit] of [
  ['the console', sum(files), CONSOLE_LIMIT],
  ['the console, to its sign-in', sum(first), FIRST_LIMIT],
] as const) {
  if (bytes > limit) throw new Error(`${name} has ${bytes} bytes compressed, expected at most ${limit}.`)
  process.stdout.write(`${name}: ${bytes} bytes compressed (at most ${limit})\n`)
}
