import { SyncError } from '@godwit/protocol'
import { type CalledFunction, placed } from './wasm-functions.js'
import { wasmImports } from './wasm-imports.js'

/** An address in the memory of the module; 0 is null. */
export type Pointer = number

/** The part of SQLite in WebAssembly that the drivers use. */
export interface Sqlite3 {
  readonly capi: {
    sqlite3_open_v2(path: string, out: Pointer, flags: number, vfs: string | null): number
    sqlite3_close_v2(database: Pointer): number
    sqlite3_exec(database: Pointer, sql: string, callback: 0, argument: 0, error: 0): number
    sqlite3_errmsg(database: Pointer): string
    /** Describes a result code. */
    sqlite3_errstr(code: number): string
    sqlite3_column_name(statement: Pointer, column: number): string
    sqlite3_extended_result_codes(database: Pointer, on: 1): number
    /** SQLite calls the handler each time it has run this number of instructions; a result other than 0 ends the statement. */
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
    /** A view of the current memory: growing invalidates earlier views. */
    heap8u(): Uint8Array<ArrayBuffer>
    peekPtr(pointer: Pointer): Pointer
    alloc(bytes: number): Pointer
    dealloc(pointer: Pointer): void
    /** Allocates a NUL-terminated copy of a text. */
    allocText(text: string): Pointer
    /** Reads the NUL-terminated text at an address. */
    text(pointer: Pointer): string
    /** Registers functions for SQLite and returns their pointers. */
    place(functions: readonly CalledFunction[]): readonly Pointer[]
  }
  /** Records the error of a file in a pool. */
  failed(error: unknown): void
  /** Returns the error of a pool file since the last call, which SQLite does not report. */
  fileError(): unknown
}

/** The exports of the module: numbers in and out, without conversion. */
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
  /** 0 selects the default VFS. */
  sqlite3_vfs_find(name: Pointer): Pointer
  sqlite3_vfs_register(vfs: Pointer, isDefault: number): number
  sqlite3_vfs_unregister(vfs: Pointer): number
}

/** Exports that take or return texts. */
interface TextExports extends SqliteExports {
  __wasm_call_ctors(): void
  __indirect_function_table: WebAssembly.Table
  sqlite3_malloc(bytes: number): Pointer
  sqlite3_free(pointer: Pointer): void
  sqlite3__wasm_pstack_ptr(): Pointer
  sqlite3__wasm_pstack_alloc(bytes: number): Pointer
  sqlite3__wasm_pstack_restore(pointer: Pointer): void
  sqlite3_open_v2(path: Pointer, out: Pointer, flags: number, vfs: Pointer): number
  sqlite3_close_v2(database: Pointer): number
  sqlite3_exec(database: Pointer, sql: Pointer, callback: 0, argument: 0, error: 0): number
  sqlite3_errmsg(database: Pointer): Pointer
  sqlite3_errstr(code: number): Pointer
  sqlite3_column_name(statement: Pointer, column: number): Pointer
  sqlite3_extended_result_codes(database: Pointer, on: number): number
  sqlite3_progress_handler(database: Pointer, instructions: number, handler: Pointer, argument: 0): void
  sqlite3_deserialize(
    database: Pointer,
    schema: Pointer,
    bytes: Pointer,
    size: bigint,
    room: bigint,
    flags: number,
  ): number
}

export const OK = 0
export const ROW = 100
export const DONE = 101

/** Loads SQLite. `wasm` is the URL or the content of `sqlite3.wasm`, if it is not beside this module. */
export async function loadSqlite3(
  wasm: string | URL | Uint8Array<ArrayBuffer> = new URL('./sqlite3.wasm', import.meta.url),
): Promise<Sqlite3> {
  const module = await (wasm instanceof Uint8Array ? WebAssembly.compile(wasm) : compileInTime(wasm))
  const { memory, imports } = wasmImports(module)
  const { exports } = await WebAssembly.instantiate(module, imports)
  return over(exports as unknown as TextExports, memory)
}

/** Wraps an instance of the module. */
function over(exports: TextExports, memory: WebAssembly.Memory): Sqlite3 {
  exports.__wasm_call_ctors()
  let view = new Uint8Array(memory.buffer)
  const heap8u = () => {
    if (view.buffer !== memory.buffer) view = new Uint8Array(memory.buffer)
    return view
  }
  const alloc = (bytes: number): Pointer => {
    const pointer = exports.sqlite3_malloc(bytes)
    if (pointer === 0) throw new SyncError('database_failed', `expected ${bytes} bytes of memory for SQLite, got none.`)
    return pointer
  }
  const dealloc = exports.sqlite3_free
  const allocText = (text: string): Pointer => {
    const bytes = new TextEncoder().encode(`${text}\0`)
    const pointer = alloc(bytes.length)
    heap8u().set(bytes, pointer)
    return pointer
  }
  const text = (pointer: Pointer): string => {
    const heap = heap8u()
    return new TextDecoder().decode(heap.subarray(pointer, heap.indexOf(0, pointer)))
  }
  const withText = <T>(given: string | null, use: (pointer: Pointer) => T): T => {
    if (given === null) return use(0)
    const pointer = allocText(given)
    try {
      return use(pointer)
    } finally {
      dealloc(pointer)
    }
  }
  const place = (functions: readonly CalledFunction[]) => placed(exports.__indirect_function_table, functions)
  let error: unknown
  return {
    capi: {
      sqlite3_open_v2: (path, out, flags, vfs) =>
        withText(path, path => withText(vfs, vfs => exports.sqlite3_open_v2(path, out, flags, vfs))),
      sqlite3_close_v2: exports.sqlite3_close_v2,
      sqlite3_exec: (database, sql, ...rest) => withText(sql, sql => exports.sqlite3_exec(database, sql, ...rest)),
      sqlite3_errmsg: database => text(exports.sqlite3_errmsg(database)),
      sqlite3_errstr: code => text(exports.sqlite3_errstr(code)),
      sqlite3_column_name: (statement, column) => text(exports.sqlite3_column_name(statement, column)),
      sqlite3_extended_result_codes: exports.sqlite3_extended_result_codes,
      sqlite3_progress_handler(database, instructions, handler, argument) {
        const [pointer = 0] = place([['i', handler]])
        exports.sqlite3_progress_handler(database, instructions, pointer, argument)
      },
      sqlite3_deserialize: (database, schema, bytes, size, room, flags) =>
        withText(schema, schema =>
          exports.sqlite3_deserialize(database, schema, bytes, BigInt(size), BigInt(room), flags),
        ),
    },
    wasm: {
      exports,
      pstack: {
        get pointer() {
          return exports.sqlite3__wasm_pstack_ptr()
        },
        allocPtr: () => exports.sqlite3__wasm_pstack_alloc(8),
        restore: exports.sqlite3__wasm_pstack_restore,
      },
      heap8u,
      peekPtr: pointer => new DataView(memory.buffer).getInt32(pointer, true),
      alloc,
      dealloc,
      allocText,
      text,
      place,
    },
    failed(given) {
      error = given
    },
    fileError() {
      const last = error
      error = undefined
      return last
    },
  }
}

/** Milliseconds after which SQLite is compiled synchronously instead. */
const COMPILE_TIMEOUT_MS = 3000

/** Compiles SQLite. In Firefox, under load after reloads, asynchronous compilation in a worker sometimes never completes; then it is compiled synchronously. */
async function compileInTime(address: string | URL): Promise<WebAssembly.Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const inThisThread = new Promise<WebAssembly.Module>(resolve => {
    timer = setTimeout(() => compile(address, false).then(resolve, () => {}), COMPILE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([compile(address, true), inThisThread])
  } finally {
    clearTimeout(timer)
  }
}

/** Compiles SQLite. Servers that send another content type are accepted too. */
async function compile(address: string | URL, inBackground: boolean): Promise<WebAssembly.Module> {
  const response = await fetch(address, { credentials: 'same-origin', cache: inBackground ? 'default' : 'no-store' })
  if (!response.ok)
    throw new SyncError(
      'database_failed',
      `expected sqlite3.wasm at ${address}, got the status ${response.status}. Pass its URL as the option \`wasm\`.`,
      { details: { address: String(address), status: response.status } },
    )
  if (inBackground && /^application\/wasm\b/.test(response.headers.get('content-type') ?? ''))
    return await WebAssembly.compileStreaming(response)
  const bytes = await response.arrayBuffer()
  return inBackground ? await WebAssembly.compile(bytes) : new WebAssembly.Module(bytes)
}
