/**
 * Writes SQLite's JavaScript for browsers with no more in it than the driver uses, and its WebAssembly beside it.
 * Throws where an upgrade of `@sqlite.org/sqlite-wasm` has parts that this does not know.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import { root } from './workspace.ts'

const folder = join(root, 'packages/model/src/browser')
const script = join(folder, 'sqlite3-bootstrap.js')
const wasm = join(folder, 'sqlite3.wasm')
const upstream = (): string =>
  dirname(createRequire(join(root, 'packages/model/package.json')).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'))

/** The parts of the script, each by words that only it has. */
const KEPT = {
  'functions and structs of C': 'globalThis.WhWasmUtilInstaller(wasm);',
  'registration of a VFS': 'sqlite3.vfs = vfs;',
  'files of the origin': 'sqlite3.installOpfsSAHPoolVfs = async function',
}
const DROPPED = {
  version: 'sqlite3.version = {',
  'object-oriented interface': 'sqlite3.oo1 = {',
  'messages to a worker': 'sqlite3.initWorker1API = function',
  'virtual tables': 'sqlite3.vtab = vtab;',
  'local storage': 'sqlite3.kvvfs = Object.create(null)',
  'files by a second worker: what is common': 'sqlite3.opfs = Object.create(null)',
  'files by a second worker': 'const installOpfsVfs = async function',
  'files by a second worker, with Web Locks': 'const installOpfsWlVfs = async function',
}

/** Asks for the next part of a file that is written. */
const NEXT_PART = 'await callback()'

const START = 'globalThis.sqlite3ApiBootstrap = async function sqlite3ApiBootstrap('
const END = '\n\t\ttry {\n\t\t\tconst bootstrapConfig = '
const PART = /\n\t\tglobalThis\.sqlite3ApiBootstrap\.initializers\.push\(function\(sqlite3\) \{\n[\s\S]*?\n\t\t\}\);/g
/** What `wasm-imports.ts` answers: the module has to be linked with just this memory, and call nothing else. */
const MEMORY = ['Module["INITIAL_MEMORY"] || 8388608', '"maximum": 32768']
const ANSWERED =
  '_localtime_js _tzset_js clock_time_get emscripten_date_now emscripten_get_heap_max emscripten_get_now emscripten_resize_heap environ_get environ_sizes_get memory'
const FILES = /^(__syscall_\w+|fd_\w+|_mmap_js|_munmap_js)$/

function only(text: string, words: string): number {
  const at = text.indexOf(words)
  if (at < 0 || text.includes(words, at + 1))
    throw new Error(
      `expected ${JSON.stringify(words)} once in SQLite's script, got it ${at < 0 ? 'nowhere' : 'twice'}.`,
    )
  return at
}

function trimmed(text: string): string {
  for (const words of [...MEMORY, ...Object.values(KEPT), ...Object.values(DROPPED)]) only(text, words)
  const inner = text.slice(only(text, START), only(text, END))
  const found = inner.match(PART) ?? []
  const isIn = (parts: Record<string, string>, part: string) => Object.values(parts).some(words => part.includes(words))
  const unknown = found.filter(part => isIn(KEPT, part) === isIn(DROPPED, part))
  if (unknown.length > 0 || found.length !== Object.keys({ ...KEPT, ...DROPPED }).length)
    throw new Error(
      `expected the known parts in SQLite's script, got ${found.length}, unknown: ${unknown.map(part => part.slice(0, 400))}`,
    )
  const kept = inner.replaceAll(PART, part => (isIn(KEPT, part) ? part : ''))
  only(kept, NEXT_PART)
  // The function that gives the parts of a file can flush what is written of it.
  const body = kept.replace(NEXT_PART, 'await callback(sah)')
  return `export const bootstrap = async config => {\n${body}\nreturn globalThis.sqlite3ApiBootstrap(config)\n}\n`
}

async function checkImports(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const names = WebAssembly.Module.imports(await WebAssembly.compile(bytes)).map(({ name }) => name)
  const others = names.filter(name => !FILES.test(name)).sort()
  if (others.join(' ') !== ANSWERED)
    throw new Error(`expected sqlite3.wasm to import ${ANSWERED}, got ${others.join(' ')}.`)
}

/** The notices of the authors. */
const noticesOf = (text: string): string => (text.match(/^\/\* @preserve\n[\s\S]*?\*\//gm) ?? []).join('\n')

function write(file: string, content: string | Uint8Array): void {
  const next = `${file}.${process.pid}`
  writeFileSync(next, content)
  // A rename, so that a reader never sees half a file.
  renameSync(next, file)
}

export async function writeSqliteScript(): Promise<void> {
  const text = readFileSync(join(upstream(), 'index.mjs'), 'utf8')
  const bytes = readFileSync(join(upstream(), 'sqlite3.wasm'))
  const digest = createHash('sha256')
    .update(text)
    .update(bytes)
    .update(readFileSync(import.meta.filename))
    .digest('hex')
  const mark = `// ${digest}\n`
  if (existsSync(wasm) && existsSync(script) && readFileSync(script, 'utf8').startsWith(mark)) return
  await checkImports(bytes)
  const notices = noticesOf(text)
  if (!/LICENSE[\s\S]*SQLITE_VERSION/.test(notices))
    throw new Error("expected the notices of SQLite's script, got others.")
  const { code } = await transform(trimmed(text), { legalComments: 'none', target: 'es2022' })
  write(wasm, bytes)
  write(script, `${mark}${notices}\n${code}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeSqliteScript()
