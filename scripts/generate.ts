/**
 * Generates the files that are not committed: the descriptions of `/openapi.json` and `/docs`, from the doc comments of
 * the contract, and the copy of SQLite's WebAssembly. Does nothing for a file that is up to date.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isProgram, root } from './workspace.ts'

/** Generates what is missing or older than its inputs. */
export async function generate(): Promise<void> {
  await writeDescriptions()
  await copySqliteWasm()
}

const descriptions = join(root, 'packages/server/src/http/openapi/descriptions.js')
/** The sources of the descriptions. */
const inputs = ['packages/protocol/src', 'packages/admin-client/src', 'scripts/contract']

/** Returns a digest of all sources of the descriptions. */
function digestOfInputs(): string {
  const digest = createHash('sha256')
  for (const folder of inputs)
    for (const name of readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).sort())
      if (/\.ts$/.test(name) && !/\.test\.ts$/.test(name))
        digest.update(`${name}\0`).update(readFileSync(join(root, folder, name)))
  return digest.digest('hex')
}

async function writeDescriptions(): Promise<void> {
  const mark = `// ${digestOfInputs()}\n`
  if (existsSync(descriptions) && readFileSync(descriptions, 'utf8').startsWith(mark)) return
  const { readContract } = await import('./contract/read-contract.ts')
  const next = `${descriptions}.${process.pid}`
  writeFileSync(next, `${mark}export const descriptions = ${JSON.stringify(readContract(), null, 2)}\n`)
  // Renaming is atomic: readers never see an incomplete file.
  renameSync(next, descriptions)
}

const wasmCopy = join(root, 'packages/model/src/browser/sqlite3.wasm')
const upstream = (): string =>
  createRequire(join(root, 'packages/model/package.json')).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')

/** The imports that `wasm-imports.ts` implements; the module must not import others. */
const PROVIDED =
  '_localtime_js _tzset_js clock_time_get emscripten_date_now emscripten_get_heap_max emscripten_get_now emscripten_resize_heap environ_get environ_sizes_get memory'
const FILES = /^(__syscall_\w+|fd_\w+|_mmap_js|_munmap_js)$/

async function checkImports(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const names = WebAssembly.Module.imports(await WebAssembly.compile(bytes)).map(({ name }) => name)
  const others = names.filter(name => !FILES.test(name)).sort()
  if (others.join(' ') !== PROVIDED)
    throw new Error(`expected sqlite3.wasm to import ${PROVIDED}, got ${others.join(' ')}.`)
}

/** Throws if the imports of the module differ from those that the driver implements. */
async function copySqliteWasm(): Promise<void> {
  const bytes = readFileSync(upstream())
  if (existsSync(wasmCopy) && readFileSync(wasmCopy).equals(bytes)) return
  await checkImports(bytes)
  const next = `${wasmCopy}.${process.pid}`
  writeFileSync(next, bytes)
  renameSync(next, wasmCopy)
}

if (isProgram(import.meta.url)) await generate()
