/** Copies SQLite's WebAssembly to the browser driver's folder. Throws if its imports differ from those that the driver implements. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './workspace.ts'

const copy = join(root, 'packages/model/src/browser/sqlite3.wasm')
const upstream = (): string =>
  createRequire(join(root, 'packages/model/package.json')).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')

/** The imports that `wasm-imports.ts` implements; the module must not import others. */
const ANSWERED =
  '_localtime_js _tzset_js clock_time_get emscripten_date_now emscripten_get_heap_max emscripten_get_now emscripten_resize_heap environ_get environ_sizes_get memory'
const FILES = /^(__syscall_\w+|fd_\w+|_mmap_js|_munmap_js)$/

async function checkImports(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const names = WebAssembly.Module.imports(await WebAssembly.compile(bytes)).map(({ name }) => name)
  const others = names.filter(name => !FILES.test(name)).sort()
  if (others.join(' ') !== ANSWERED)
    throw new Error(`expected sqlite3.wasm to import ${ANSWERED}, got ${others.join(' ')}.`)
}

export async function copySqliteWasm(): Promise<void> {
  const bytes = readFileSync(upstream())
  if (existsSync(copy) && readFileSync(copy).equals(bytes)) return
  await checkImports(bytes)
  const next = `${copy}.${process.pid}`
  writeFileSync(next, bytes)
  // Renaming is atomic: readers never see an incomplete file.
  renameSync(next, copy)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await copySqliteWasm()
