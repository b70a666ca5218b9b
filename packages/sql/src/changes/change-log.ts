import type { RawBuilder } from 'kysely'
import type { Connection } from '../connection.js'

/** A table whose changes are logged for a source. */
export interface WatchedTable {
  readonly source: string
  /** With its schema where that is not on the search path: `shop.orders`. */
  readonly table: string
  readonly key: string
  /** The column with the name of the partition; undefined: the table is one partition. */
  readonly owner: string | undefined
}

/** The state of the triggers and columns of a watched table. */
export interface TableState {
  /** Another value means that changes may have gone unnoticed. */
  readonly fingerprint: string
  /** What is missing for changes to be logged, for people. */
  readonly problem?: string
}

/** The tables of the log, quoted. */
export interface LogNames {
  readonly change: RawBuilder<unknown>
  readonly batch: RawBuilder<unknown>
  readonly reader: RawBuilder<unknown>
  readonly state: RawBuilder<unknown>
  readonly lock: RawBuilder<unknown>
}

/** Which unstamped changes are of interest: those behind a position. */
export interface StampRange {
  readonly after: number
  readonly limit: number
}

/** A part of an installation: one transaction where the database has transactions for definitions. */
export interface InstallStep {
  /** What it is for: a table, or undefined for the log itself. */
  readonly table?: string
  readonly statements: readonly string[]
}

/**
 * The log of changes in one kind of database. Triggers write unstamped rows; the reader stamps those that it can see with the number of its next
 * batch, which is the order that the database itself does not have for concurrent transactions.
 */
export interface ChangeLog {
  readonly names: LogNames
  /** The present time in the representation of the log, and the time some seconds ago. */
  readonly now: RawBuilder<unknown>
  ago(seconds: number): RawBuilder<unknown>
  /** The first statements of the transaction of a step: a durable commit, and limits that free the lock of a reader that hangs. */
  readonly durable: readonly RawBuilder<unknown>[]
  /** Locks the log to the end of the transaction, as a separate statement: numbers are computed after it. */
  readonly lock: RawBuilder<unknown>
  isInstalled(connection: Connection): Promise<boolean>
  /** Position below which an unstamped change is rare: those of late commits. */
  recent(connection: Connection): Promise<number>
  /** Stamps committed changes in the order of their positions, without waiting for open transactions. Returns the stamped positions. */
  stamp(connection: Connection, range: StampRange & { readonly batch: number }): Promise<readonly number[]>
  /** The count of writes that the budget kept out of the log. */
  skipped(connection: Connection): Promise<string>
  /** Waits for the ends of writers that are skipping, empties a log over its budget, and marks the log as read. Within the lock. */
  accept(connection: Connection, lastBatch: number): Promise<void>
  /** Notes at most once a minute that a reader is there. Only `accept` revives a log that had none for a week. */
  renew(connection: Connection): Promise<void>
  /** Gives space back after `accept` has committed. Returns false while the log is still over its budget. */
  shrink(connection: Connection): Promise<boolean>
  /** Bytes of the log, if the database knows them. */
  size(connection: Connection): Promise<number | undefined>
  /** States by source. */
  inspect(connection: Connection, tables: readonly WatchedTable[]): Promise<ReadonlyMap<string, TableState>>
  /** True for an error that only means that the lock was taken. */
  isBusy(error: unknown): boolean
  /** The statements that install the log, and those for each table that lacks something. */
  plan(connection: Connection, tables: readonly WatchedTable[], options: PlanOptions): Promise<readonly InstallStep[]>
  /** The statements that remove the log and all of its triggers. */
  removal(connection: Connection): Promise<readonly InstallStep[]>
  /** Executes one step. Throws a busy error if it had to wait longer than `patience` milliseconds. */
  execute(connection: Connection, step: InstallStep, patience: number): Promise<void>
  /** Who holds a table, for people. */
  blockers(connection: Connection, table: string): Promise<readonly string[]>
}

/** Options of an installation. */
export interface PlanOptions {
  /** Bytes of the log in PostgreSQL, rows elsewhere. */
  readonly budget: number
}

/** Seconds without a reader after which triggers stop writing. */
export const READER_LIFE = 7 * 24 * 3600

/** A name for functions and triggers of a source: its letters and digits, and a hash where that is not all of it. */
export function slugOf(source: string): string {
  const plain = source.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  if (plain.length <= 30 && plain === source) return plain
  let hash = 5381
  for (const letter of source) hash = (Math.imul(hash, 33) ^ (letter.codePointAt(0) ?? 0)) >>> 0
  return `${plain.slice(0, 30)}_${hash.toString(36)}`
}

/** Quotes a text as a literal of SQL, for definitions, which take no parameters. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
