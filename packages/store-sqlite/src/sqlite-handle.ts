/** A parameter of a statement. */
export type SqlValue = string | number | null | Uint8Array

/** A prepared statement of better-sqlite3. `Row` is the type of its result rows. */
export interface SqliteStatement<Row = unknown> {
  run(...values: SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  /** Reads rows one by one; the connection is busy until the last, or until the iteration is left. */
  iterate(...values: SqlValue[]): IterableIterator<Row>
}

/** The part of a better-sqlite3 database that the store uses. */
export interface SqliteHandle {
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  close(): unknown
}

/** The connections of a store, with their pragmas set. */
export interface SqliteHandles {
  readonly writer: SqliteHandle
  /** A second connection to the same file, which sees committed data; for a database in memory the writer itself. */
  readonly reader: SqliteHandle
  /** Opens an empty temporary database, which moves to disk when large and is deleted when closed. */
  readonly scratch: () => SqliteHandle
}
