/** A value in SQLite. Drivers return integers beyond 2^53 as rounded numbers, never as bigint. */
export type SqlValue = string | number | null | Uint8Array

/** A row of a result, by column name. */
export interface SqlRow {
  readonly [column: string]: SqlValue
}

/** A prepared statement. Values are bound by position. */
export interface Statement {
  /** Runs the statement and returns the number of changed rows. */
  run(...values: readonly SqlValue[]): number
  get(...values: readonly SqlValue[]): SqlRow | undefined
  all(...values: readonly SqlValue[]): readonly SqlRow[]
  /** Returns rows as arrays in column order, which is faster. */
  arrays(...values: readonly SqlValue[]): readonly (readonly SqlValue[])[]
  /** Reads rows one at a time. The statement ends when the loop ends, also early. */
  iterate(...values: readonly SqlValue[]): IterableIterator<SqlRow>
  /** Like `iterate`, with each row as an array in column order. */
  iterateArrays(...values: readonly SqlValue[]): IterableIterator<readonly SqlValue[]>
  /** True if the statement only reads, as far as the driver can tell. */
  readonly readonly: boolean
  /** Frees the statement. Calling it twice, or after `close`, does nothing. */
  free(): void
}

/**
 * A synchronous connection to SQLite 3.38 or newer, such as better-sqlite3, node:sqlite, SQLite WASM or a library of React Native. Text may contain
 * any character, including NUL.
 */
export interface Driver {
  /**
   * Maximum bytes of each file that SQLite memory-maps, which doubles the speed for data larger than its cache. Absent: none. Leave it absent if an
   * open file can become unavailable, as on a locked phone: reading a mapped page would then crash the process.
   */
  readonly mappedBytes?: number
  /** Number of pages in a file's write-ahead log above which a commit runs a checkpoint. Absent: 4000. */
  readonly logPages?: number
  prepare(sql: string): Statement
  /** Runs statements that return no rows. */
  exec(sql: string): void
  /**
   * Opens another file of the device under a schema name, creating it if needed. The driver chooses the journal mode (WAL if available); a commit is
   * atomic for each file, not necessarily across files.
   */
  attach(file: string, schema: string): void
  /** Opens a file written by `DeviceFiles.unzip`, which is never encrypted. */
  attachPlain(file: string, schema: string): void
  detach(schema: string): void
  /**
   * Runs a function that reads, and calls `isOver` every few thousand SQLite instructions. If it returns true, the statement fails, even before its
   * first row. Absent: statements can be stopped only between rows.
   */
  readonly interruptible?: <T>(isOver: () => boolean, run: () => T) => T
  /** Called after a period without writes: runs a checkpoint, so that the next opening is faster. Must not throw. Absent: nothing to do. */
  rest?(): void
  close(): void
}

/** Opens a device's main file. `attach` and `attachPlain` resolve names in the same folder. */
export interface Drive {
  open(file: string): Driver
  /** Removes a database file that is not open, with its journals. A missing file is not an error. */
  delete(file: string): void
  /** Locks the device for one process. Returns the release function, or undefined if another process holds the lock. */
  lock(): (() => void) | undefined
}
