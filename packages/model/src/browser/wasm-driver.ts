import { SyncError } from '@godwit/protocol'
import { quote } from '../columns/table-shape.js'
import type { Driver } from '../platform/driver.js'
import { fileFailure } from './file-failure.js'
import { OK, type Pointer, type Sqlite3 } from './sqlite3.js'
import { WasmHeap } from './wasm-heap.js'
import { failureOf, type WasmConnection, wasmStatement } from './wasm-statement.js'

const READ_WRITE = 0x02
const CREATE = 0x04

export interface WasmDriverOptions {
  /** The path that SQLite opens. */
  readonly path: string
  /** Null selects SQLite's default VFS. */
  readonly vfs: string | null
  /** Pages in the log of a file, if it has one. */
  readonly logPages?: number
  /** Whether a log may be moved into its file now. Default: yes. */
  readonly mayRest?: () => boolean
  /** Whether a failed write means a full disk. Default: no. */
  readonly isFull?: (fileError: unknown) => boolean
  /** Opens a file of the device, whose path is `file`, under a schema name. */
  readonly attach: (driver: Pick<Driver, 'prepare' | 'exec'>, file: string, schema: string) => void
  readonly attachPlain: (
    driver: Pick<Driver, 'prepare' | 'exec'>,
    file: string,
    schema: string,
    database: Pointer,
  ) => void
}

/** One connection to SQLite in WebAssembly. */
export function wasmDriver(
  sqlite3: Sqlite3,
  { path, vfs, logPages, mayRest = () => true, isFull = () => false, attach, attachPlain }: WasmDriverOptions,
): Driver {
  const { capi, wasm } = sqlite3
  const database = openDatabase(sqlite3, path, vfs)
  const connection: WasmConnection = { sqlite3, heap: new WasmHeap(wasm), database, open: new Set(), isFull }
  const { open, heap } = connection
  const prepare: Driver['prepare'] = sql => wasmStatement(connection, sql)
  const exec: Driver['exec'] = sql => {
    if (capi.sqlite3_exec(database, sql, 0, 0, 0) !== OK) throw failureOf(connection, sql)
  }
  let isClosed = false
  return {
    ...(logPages !== undefined && {
      logPages,
      // A failure is retried at the next rest: the log still has the data.
      rest() {
        if (mayRest()) capi.sqlite3_exec(database, 'PRAGMA wal_checkpoint(TRUNCATE)', 0, 0, 0)
      },
    }),
    prepare,
    exec,
    attach: (file, schema) => attach({ prepare, exec }, file, schema),
    attachPlain: (file, schema) => attachPlain({ prepare, exec }, file, schema, database),
    interruptible: interruption(sqlite3, database),
    detach: schema => exec(`DETACH ${quote(schema)}`),
    close() {
      if (isClosed) return
      isClosed = true
      for (const statement of open) wasm.exports.sqlite3_finalize(statement)
      open.clear()
      heap.free()
      capi.sqlite3_close_v2(database)
    },
  }
}

/** SQLite instructions between two checks of the time: some tenths of a millisecond. */
const INSTRUCTIONS = 10_000

/** Installs the progress handler at first use, since each installation compiles a function. Closing removes it. */
function interruption({ capi }: Sqlite3, database: Pointer): NonNullable<Driver['interruptible']> {
  let isSet = false
  let isInterrupted: (() => boolean) | undefined
  return (isOver, run) => {
    if (!isSet) capi.sqlite3_progress_handler(database, INSTRUCTIONS, () => (isInterrupted?.() ? 1 : 0), 0)
    isSet = true
    isInterrupted = isOver
    try {
      return run()
    } finally {
      isInterrupted = undefined
    }
  }
}

function openDatabase({ capi, wasm, fileError }: Sqlite3, path: string, vfs: string | null): Pointer {
  const stack = wasm.pstack.pointer
  try {
    const out = wasm.pstack.allocPtr()
    const code = capi.sqlite3_open_v2(path, out, READ_WRITE | CREATE, vfs)
    const database = wasm.peekPtr(out)
    if (code !== OK) {
      capi.sqlite3_close_v2(database)
      const cause = fileError()
      const reason = fileFailure(capi.sqlite3_errstr(code), cause)
      throw new SyncError('database_failed', `cannot open ${path} as a device: ${reason}.`, {
        cause,
        details: { path },
      })
    }
    capi.sqlite3_extended_result_codes(database, 1)
    return database
  } finally {
    wasm.pstack.restore(stack)
  }
}
