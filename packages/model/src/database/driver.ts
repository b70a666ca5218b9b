/** What SQLite keeps and gives. Drivers give integers beyond 2^53 as numbers (rounded), never as bigint. */
export type SqlValue = string | number | null | Uint8Array

/** A row of a result, by column. */
export interface SqlRow {
  readonly [column: string]: SqlValue
}

/** A prepared statement. Values are bound by position. */
export interface Statement {
  /** How many rows it changed. */
  run(...values: readonly SqlValue[]): number
  get(...values: readonly SqlValue[]): SqlRow | undefined
  all(...values: readonly SqlValue[]): readonly SqlRow[]
  /** Rows as arrays in order of the columns: no names to build, for hot paths. */
  arrays(...values: readonly SqlValue[]): readonly (readonly SqlValue[])[]
  /** Rows one by one, each read when it is asked for. Leaving the loop ends the statement. */
  iterate(...values: readonly SqlValue[]): IterableIterator<SqlRow>
  /** As `iterate`, each row an array in order of the columns. */
  iterateArrays(...values: readonly SqlValue[]): IterableIterator<readonly SqlValue[]>
  /** Whether it only reads, as far as the driver can tell. */
  readonly readonly: boolean
  /** Frees the statement, which is not used afterwards; a second call does nothing. May be called after `close`. */
  free(): void
}

/**
 * One synchronous connection to SQLite 3.38 or newer: better-sqlite3, node:sqlite, SQLite WASM and those of React Native fit. Text may hold any character,
 * NUL included.
 */
export interface Driver {
  /**
   * Bytes of each file that SQLite may read through the memory of the operating system, which is twice as fast for what is larger than its cache. Absent: none.
   * Where a file can be taken away while it is open, as on a phone that is locked, reading a mapped one ends the process.
   */
  readonly mappedBytes?: number
  /** Pages in the log of a file that are moved into it by the commit that exceeds them. Absent: 4000. */
  readonly logPages?: number
  prepare(sql: string): Statement
  /** Runs statements without results. */
  exec(sql: string): void
  /**
   * Opens another file of the same device under a schema name; made if it does not exist. How changes are journaled is up to the driver (WAL where the platform
   * has it); a commit is atomic for each file, and need not be across files.
   */
  attach(file: string, schema: string): void
  /** Opens a file that `DeviceFiles.unzip` wrote: one that this device did not make, and never an encrypted one. */
  attachPlain(file: string, schema: string): void
  detach(schema: string): void
  /**
   * Runs what reads, and asks `isOver` every few thousand instructions of SQLite: true ends the statement with an error, before it gives a row too.
   * Absent: a statement can be ended between rows only.
   */
  readonly interruptible?: <T>(isOver: () => boolean, run: () => T) => T
  /** Called when nothing was written for a moment: moves what the logs hold into the files, so that the next opening reads none. Never throws. Absent: nothing to do. */
  rest?(): void
  close(): void
}

/** Opens a device's main file; `attach` and `attachPlain` take names in the same place. */
export interface Drive {
  open(file: string): Driver
  /** Removes a database file that is not open, and the journals that belong to it. One that is not there is no error. */
  delete(file: string): void
  /** Holds the device for one process; undefined while another has it. Call the result to let go. */
  lock(): (() => void) | undefined
}
