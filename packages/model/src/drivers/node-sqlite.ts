import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { quote } from '../columns/table-shape.js'
import type { Drive, Driver, SqlRow, SqlValue, Statement } from '../platform/driver.js'
import { MAPPED_BYTES } from './mapped-bytes.js'
import { openDirectory } from './open-directory.js'
import { ownDatabase, ownFolder, SUFFIXES } from './own-files.js'
import { each, withStatementErrors } from './statement-errors.js'

const BUSY_MILLISECONDS = 5000

type NodeSqlite = { readonly DatabaseSync: typeof DatabaseSync }

/** Loads Node's SQLite only when used, because it prints a warning before Node 24; not by `import`, because bundlers change its name. */
export const loadNodeSqlite = async (): Promise<NodeSqlite> => process.getBuiltinModule('node:sqlite')

/** Returns a drive on a directory, using Node's SQLite. */
export function nodeSqliteDrive(library: NodeSqlite, directory: string): Drive {
  openDirectory(directory, () => ownFolder(directory))
  const path = (file: string) => join(directory, file)
  const ownedPath = (file: string): string => {
    ownDatabase(path(file))
    return path(file)
  }
  return {
    open: file => openDirectory(directory, () => driver(new library.DatabaseSync(ownedPath(file)), ownedPath)),
    delete: file => {
      for (const suffix of SUFFIXES) if (existsSync(path(file) + suffix)) rmSync(path(file) + suffix)
    },
    lock: () => openDirectory(directory, () => lock(library, ownedPath('lock.sqlite'))),
  }
}

function driver(database: DatabaseSync, path: (file: string) => string): Driver {
  database.exec(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}; PRAGMA journal_mode = WAL`)
  const attach = (file: string, schema: string): void =>
    void withStatementErrors('ATTACH', () => database.prepare(`ATTACH ? AS ${quote(schema)}`).run(path(file)))
  return {
    mappedBytes: MAPPED_BYTES,
    prepare: sql => statement(database, sql),
    exec: sql => withStatementErrors(sql, () => database.exec(sql)),
    attach(file, schema) {
      attach(file, schema)
      withStatementErrors('ATTACH', () => database.exec(`PRAGMA ${quote(schema)}.journal_mode = WAL`))
    },
    attachPlain: attach,
    detach: schema => withStatementErrors('DETACH', () => database.exec(`DETACH ${quote(schema)}`)),
    close: () => database.close(),
  }
}

type BoundValues = readonly SqlValue[]
type Arrays = readonly (readonly SqlValue[])[]

function statement(database: DatabaseSync, sql: string): Statement {
  const prepared = withStatementErrors(sql, () => database.prepare(sql))
  const rows = (values: BoundValues) => exact(prepared, () => prepared.all(...values)) as unknown as readonly SqlRow[]
  return {
    run: (...values) => withStatementErrors(sql, () => Number(prepared.run(...values).changes)),
    get: (...values) =>
      withStatementErrors(sql, () => exact(prepared, () => prepared.get(...values)) as SqlRow | undefined),
    all: (...values) => withStatementErrors(sql, () => rows(values)),
    arrays: (...values) => withStatementErrors(sql, () => inArrays(prepared, values)),
    iterate: (...values) => each(sql, () => oneByOne(prepared, values) as Generator<SqlRow>),
    iterateArrays: (...values) => each(sql, () => oneByOne(prepared, values, true) as Generator<Arrays[number]>),
    // Node has no such property. Callers that run SQL of the app also set `query_only`.
    readonly: /^\s*(SELECT|WITH|VALUES|EXPLAIN)\b/i.test(sql),
    // Node frees statements at garbage collection.
    free() {},
  }
}

/** Returns readers of rows as arrays. `setReturnArrays` exists since Node 24; before, columns are named by position. */
function inArrays(prepared: StatementSync, values: BoundValues): Arrays {
  if (typeof prepared.setReturnArrays !== 'function') {
    return (exact(prepared, () => prepared.all(...values)) as unknown as SqlRow[]).map(row => Object.values(row))
  }
  prepared.setReturnArrays(true)
  try {
    return exact(prepared, () => prepared.all(...values)) as unknown as Arrays
  } finally {
    prepared.setReturnArrays(false)
  }
}

/** Yields rows one at a time. All integers are read as bigint and rounded, because a row cannot be read twice. */
function* oneByOne(prepared: StatementSync, values: BoundValues, areArrays = false): Generator<unknown> {
  prepared.setReadBigInts(true)
  prepared.setReturnArrays(areArrays)
  try {
    for (const row of prepared.iterate(...values)) yield withoutBigInts(row)
  } finally {
    prepared.setReadBigInts(false)
    prepared.setReturnArrays(false)
  }
}

/** Reads rows. Node throws for an integer beyond 2^53; the rows are then read again with bigint and rounded. */
function exact(prepared: StatementSync, read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_OUT_OF_RANGE') throw error
    prepared.setReadBigInts(true)
    try {
      return withoutBigInts(read())
    } finally {
      prepared.setReadBigInts(false)
    }
  }
}

function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withoutBigInts)
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutBigInts(member)]))
}

/** Locks a database file; the operating system releases the lock when the process ends. */
function lock(library: NodeSqlite, file: string): (() => void) | undefined {
  const database = new library.DatabaseSync(file)
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return () => database.close()
  } catch {
    database.close()
    return undefined
  }
}
