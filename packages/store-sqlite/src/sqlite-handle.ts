/** What goes into a statement. */
export type SqlValue = string | number | null | Uint8Array

/** A prepared statement, as better-sqlite3 makes it. `Row` is what its columns are: known where its SQL is written. */
export interface SqliteStatement<Row = unknown> {
  run(...values: SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
}

/** The slice of a better-sqlite3 database that the store uses. */
export interface SqliteHandle {
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  close(): unknown
}

/** What a store works on. Each connection has its pragmas already. */
export interface SqliteHandles {
  readonly writer: SqliteHandle
  /** Another connection to the same file, which sees what is committed. Of a database in memory: the writer itself. */
  readonly reader: SqliteHandle
  /** Makes an empty temporary database, which is on disk once it is large and removed when it is closed. */
  readonly scratch: () => SqliteHandle
}
