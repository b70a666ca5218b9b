import { SyncError } from '@godwit/protocol'
import type { SyncAccessHandle } from './opfs.js'
import { bootstrap } from './sqlite3-bootstrap.js'
import { wasmImports } from './wasm-imports.js'

/** A place in the memory of the module; 0 is none. */
export type Pointer = number

/** What the drivers use of SQLite in WebAssembly. */
export interface Sqlite3 {
  readonly capi: {
    sqlite3_open_v2(path: string, out: Pointer, flags: number, vfs: string | null): number
    sqlite3_close_v2(database: Pointer): number
    sqlite3_exec(database: Pointer, sql: string, callback: 0, argument: 0, error: 0): number
    sqlite3_errmsg(database: Pointer): string
    sqlite3_js_rc_str(code: number): string | undefined
    sqlite3_column_name(statement: Pointer, column: number): string
    sqlite3_extended_result_codes(database: Pointer, on: 1): number
    /** SQLite calls the handler once in that number of instructions; what it returns, other than 0, ends the statement. */
    sqlite3_progress_handler(database: Pointer, instructions: number, handler: () => number, argument: 0): void
    sqlite3_deserialize(
      database: Pointer,
      schema: string,
      bytes: Pointer,
      size: number | bigint,
      room: number | bigint,
      flags: number,
    ): number
  }
  readonly wasm: {
    readonly exports: SqliteExports
    readonly pstack: { readonly pointer: Pointer; allocPtr(): Pointer; restore(pointer: Pointer): void }
    /** A view of the memory as it is now: growing makes older ones useless. */
    heap8u(): Uint8Array<ArrayBuffer>
    peekPtr(pointer: Pointer): Pointer
    alloc(bytes: number): Pointer
    dealloc(pointer: Pointer): void
  }
  installOpfsSAHPoolVfs(options: {
    readonly name: string
    readonly directory: string
    readonly initialCapacity: number
    readonly forceReinitIfPreviouslyFailed: boolean
    readonly preserveOnInitFailure: boolean
  }): Promise<SahPool>
  /** Returns what a file of the pool failed with since the last call, which SQLite itself does not tell. */
  fileError(): unknown
}

/** The functions of the module themselves: numbers in and out, nothing converted. */
export interface SqliteExports {
  sqlite3_prepare_v3(database: Pointer, sql: Pointer, bytes: number, flags: number, out: Pointer, tail: Pointer): number
  sqlite3_step(statement: Pointer): number
  sqlite3_reset(statement: Pointer): number
  sqlite3_finalize(statement: Pointer): number
  sqlite3_changes(database: Pointer): number
  sqlite3_stmt_readonly(statement: Pointer): number
  sqlite3_bind_parameter_count(statement: Pointer): number
  sqlite3_bind_double(statement: Pointer, parameter: number, value: number): number
  sqlite3_bind_null(statement: Pointer, parameter: number): number
  sqlite3_bind_text(statement: Pointer, parameter: number, text: Pointer, bytes: number, life: number): number
  sqlite3_bind_blob(statement: Pointer, parameter: number, from: Pointer, bytes: number, life: number): number
  sqlite3_column_count(statement: Pointer): number
  sqlite3_column_type(statement: Pointer, column: number): number
  sqlite3_column_double(statement: Pointer, column: number): number
  sqlite3_column_text(statement: Pointer, column: number): Pointer
  sqlite3_column_blob(statement: Pointer, column: number): Pointer
  sqlite3_column_bytes(statement: Pointer, column: number): number
}

/** Files of the origin that are opened once and stay open, as SQLite's synchronous calls need them. */
export interface SahPool {
  readonly vfsName: string
  getCapacity(): number
  getFileNames(): string[]
  reserveMinimumCapacity(files: number): Promise<number>
  unlink(path: string): boolean
  /** Writes a file from parts; an undefined part ends it. `next` is given the file. */
  importDb(path: string, next: (file: SyncAccessHandle) => Promise<Uint8Array | undefined>): Promise<number>
  /** Closes every file; SQLite has to have closed its own before. */
  pauseVfs(): SahPool
}

export const OK = 0
export const ROW = 100
export const DONE = 101

/**
 * Loads SQLite. `wasm`: the address of `sqlite3.wasm` where it does not lie beside this module, or its content.
 */
export async function loadSqlite3(
  wasm: string | URL | Uint8Array<ArrayBuffer> = new URL('./sqlite3.wasm', import.meta.url),
): Promise<Sqlite3> {
  const module = await (wasm instanceof Uint8Array ? WebAssembly.compile(wasm) : compileInTime(wasm))
  const { memory, imports } = wasmImports(module)
  const { exports } = await WebAssembly.instantiate(module, imports)
  ;(exports['__wasm_call_ctors'] as () => void)()
  let error: unknown
  const told = (...given: readonly unknown[]): void => {
    error = given.find(one => one instanceof Error) ?? error
  }
  // What SQLite complains of is also what its calls answer.
  const quiet = { warn() {}, log() {}, debug() {} }
  const sqlite3 = (await bootstrap({ memory, exports, error: told, ...quiet })) as Omit<Sqlite3, 'fileError'>
  return Object.assign(sqlite3, {
    fileError() {
      const last = error
      error = undefined
      return last
    },
  })
}

/** Milliseconds after which SQLite is compiled without a promise. */
const PATIENCE = 3000

/**
 * Compiles SQLite. A worker of Firefox sometimes never hears that it was compiled, under load after reloads; what the worker compiles itself it has.
 */
async function compileInTime(address: string | URL): Promise<WebAssembly.Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const inThisThread = new Promise<WebAssembly.Module>(resolve => {
    timer = setTimeout(() => compile(address, false).then(resolve, () => {}), PATIENCE)
  })
  try {
    return await Promise.race([compile(address, true), inThisThread])
  } finally {
    clearTimeout(timer)
  }
}

/** Servers that do not know the type of the file are taken as well. */
async function compile(address: string | URL, inBackground: boolean): Promise<WebAssembly.Module> {
  const response = await fetch(address, { credentials: 'same-origin', cache: inBackground ? 'default' : 'no-store' })
  if (!response.ok)
    throw new SyncError(
      'database_failed',
      `expected sqlite3.wasm at ${address}, got the status ${response.status}. Name its address as \`wasm\`.`,
      { details: { address: String(address), status: response.status } },
    )
  if (inBackground && /^application\/wasm\b/.test(response.headers.get('content-type') ?? ''))
    return await WebAssembly.compileStreaming(response)
  const bytes = await response.arrayBuffer()
  return inBackground ? await WebAssembly.compile(bytes) : new WebAssembly.Module(bytes)
}
