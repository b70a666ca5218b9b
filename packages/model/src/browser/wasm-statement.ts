import { databaseError } from '../drivers/statement-errors.js'
import type { SqlRow, SqlValue, Statement } from '../platform/driver.js'
import { fileFailure } from './file-failure.js'
import { storageFull } from './reserve.js'
import { DONE, OK, type Pointer, ROW, type Sqlite3 } from './sqlite3.js'
import type { WasmHeap } from './wasm-heap.js'

const INTEGER = 1
const FLOAT = 2
const TEXT = 3
const BLOB = 4
/** Tells SQLite to copy bound values. */
const TRANSIENT = -1

/** An open database as its statements use it. */
export interface WasmConnection {
  readonly sqlite3: Sqlite3
  readonly heap: WasmHeap
  readonly database: Pointer
  /** Statements that have not been finalized. */
  readonly open: Set<Pointer>
  /** True if a file operation failed because the disk is full. */
  readonly isFull: (fileError: unknown) => boolean
}

/** Returns the error of the last failed call. */
export function failureOf({ sqlite3, database, isFull }: WasmConnection, sql: string): Error {
  const message = sqlite3.capi.sqlite3_errmsg(database)
  if (!FILE_ERROR.test(message)) return databaseError(new Error(message), sql)
  const fileError = sqlite3.fileError()
  const cause = new Error(fileFailure(message, fileError), { cause: fileError })
  return isFull(fileError) ? storageFull(cause) : databaseError(cause, sql)
}

/** SQLite's messages for failed file operations. */
const FILE_ERROR = /^(disk I\/O error|database or disk is full|unable to open database)/

export function wasmStatement(connection: WasmConnection, sql: string): Statement {
  const { sqlite3, database, open } = connection
  const { exports } = sqlite3.wasm
  const pointer = prepareStatement(connection, sql)
  open.add(pointer)
  const parameters = exports.sqlite3_bind_parameter_count(pointer)
  const width = exports.sqlite3_column_count(pointer)
  let names: readonly string[] | undefined

  const begin = (values: readonly SqlValue[]): void => {
    if (!open.has(pointer)) throw databaseError(new Error('The statement was freed: prepare it again.'), sql)
    if (values.length !== parameters)
      throw databaseError(new Error(`expected ${parameters} values, got ${values.length}`), sql)
    for (let at = 0; at < parameters; at++)
      if (bind(connection, pointer, at + 1, values[at] as SqlValue) !== OK) throw failureOf(connection, sql)
  }
  const end = (code: number): void => {
    // Resetting repeats the error, so its text is read after the step.
    const error = code === ROW || code === DONE ? undefined : failureOf(connection, sql)
    exports.sqlite3_reset(pointer)
    if (error) throw error
  }
  const asArray = (): readonly SqlValue[] => {
    const row = new Array<SqlValue>(width)
    for (let at = 0; at < width; at++) row[at] = cell(connection, pointer, at)
    return row
  }
  const asObject = (): SqlRow => {
    names ??= Array.from({ length: width }, (_, at) => sqlite3.capi.sqlite3_column_name(pointer, at))
    const row: Record<string, SqlValue> = {}
    for (let at = 0; at < width; at++) row[names[at] as string] = cell(connection, pointer, at)
    return row
  }
  const rows = <Row>(values: readonly SqlValue[], read: () => Row): Row[] => {
    begin(values)
    const all: Row[] = []
    let code = exports.sqlite3_step(pointer)
    for (; code === ROW; code = exports.sqlite3_step(pointer)) all.push(read())
    end(code)
    return all
  }
  function* oneByOne<Row>(values: readonly SqlValue[], read: () => Row): Generator<Row, void, undefined> {
    begin(values)
    let code = ROW
    try {
      for (
        code = exports.sqlite3_step(pointer);
        code === ROW;
        code = open.has(pointer) ? exports.sqlite3_step(pointer) : DONE
      )
        yield read()
    } finally {
      if (open.has(pointer)) end(code)
    }
  }
  return {
    run(...values) {
      begin(values)
      let code = exports.sqlite3_step(pointer)
      while (code === ROW) code = exports.sqlite3_step(pointer)
      end(code)
      return exports.sqlite3_changes(database)
    },
    get(...values) {
      begin(values)
      const code = exports.sqlite3_step(pointer)
      const row = code === ROW ? asObject() : undefined
      end(code)
      return row
    },
    all: (...values) => rows(values, asObject),
    arrays: (...values) => rows(values, asArray),
    iterate: (...values) => oneByOne(values, asObject),
    iterateArrays: (...values) => oneByOne(values, asArray),
    readonly: exports.sqlite3_stmt_readonly(pointer) !== 0,
    free() {
      if (open.delete(pointer)) exports.sqlite3_finalize(pointer)
    },
  }
}

const PERSISTENT = 1

function prepareStatement(connection: WasmConnection, sql: string): Pointer {
  const { sqlite3, heap, database } = connection
  const { pstack, exports, peekPtr } = sqlite3.wasm
  const bytes = heap.writeText(sql)
  const stack = pstack.pointer
  try {
    const out = pstack.allocPtr()
    const code = exports.sqlite3_prepare_v3(database, heap.pointer, bytes, PERSISTENT, out, 0)
    const pointer = code === OK ? peekPtr(out) : 0
    if (code !== OK) throw failureOf(connection, sql)
    if (pointer === 0) throw databaseError(new Error('expected a statement, got none'), sql)
    return pointer
  } finally {
    pstack.restore(stack)
  }
}

/** Binds a value. Numbers are bound as doubles; SQLite stores integers as such if the column's type says so. */
function bind({ sqlite3, heap }: WasmConnection, statement: Pointer, parameter: number, value: SqlValue): number {
  const { exports } = sqlite3.wasm
  if (typeof value === 'number') return exports.sqlite3_bind_double(statement, parameter, value)
  if (value === null) return exports.sqlite3_bind_null(statement, parameter)
  if (typeof value === 'string') {
    const bytes = heap.writeText(value)
    return exports.sqlite3_bind_text(statement, parameter, heap.pointer, bytes, TRANSIENT)
  }
  heap.writeBytes(value)
  return exports.sqlite3_bind_blob(statement, parameter, heap.pointer, value.length, TRANSIENT)
}

function cell({ sqlite3, heap }: WasmConnection, statement: Pointer, column: number): SqlValue {
  const { exports } = sqlite3.wasm
  switch (exports.sqlite3_column_type(statement, column)) {
    case INTEGER:
    case FLOAT:
      return exports.sqlite3_column_double(statement, column)
    case TEXT: {
      const from = exports.sqlite3_column_text(statement, column)
      return heap.readText(from, exports.sqlite3_column_bytes(statement, column))
    }
    case BLOB: {
      const from = exports.sqlite3_column_blob(statement, column)
      return heap.readBytes(from, exports.sqlite3_column_bytes(statement, column))
    }
    default:
      return null
  }
}
