import { isSyncError, SyncError } from '@godwit/protocol'
import { quote } from '../columns/table-shape.js'
import type { TransactionListener } from '../live/write-listeners.js'
import type { Drive, Driver, Statement } from '../platform/driver.js'
import { type LimitedSql, rowsWithin } from '../query/time-limit.js'
import { FILES, type File, SCHEMAS, writtenBy } from './files.js'
import { lazyStatement } from './lazy-statement.js'
import { RollbackActions } from './rollback-actions.js'
import { synchronousResult } from './synchronous-result.js'

export const MAIN_FILE = 'device.sqlite'

/** SQLite's `synchronous` level. With `FULL`, a commit survives a power failure. */
type SyncLevel = 'FULL' | 'NORMAL'

/** The connection to the files of all partitions: prepared statements and transactions. */
export class DeviceDatabase {
  readonly #driver: Driver
  readonly #statements = new Map<string, Statement>()
  readonly #undos = new RollbackActions()
  readonly #listeners: TransactionListener[] = []
  /** Bit set of files that the open transaction wrote. */
  #written = 0
  #unmapping = 0
  /** The current level of all files; undefined before it is set for the first time. */
  #level: SyncLevel | undefined
  #depth = 0
  #transactions = 0
  #closed = false

  /** Time limit of a SELECT written by the app; undefined without a limit. */
  readonly sqlTimeoutMilliseconds: number | undefined

  constructor(drive: Drive, sqlTimeoutMilliseconds?: number) {
    this.sqlTimeoutMilliseconds = sqlTimeoutMilliseconds
    this.#driver = drive.open(MAIN_FILE)
    for (const schema of SCHEMAS) this.#driver.attach(`${schema}.sqlite`, schema)
    for (const schema of FILES) this.#driver.exec(`PRAGMA ${quote(schema)}.cache_size = -${this.#cacheSize()}`)
    this.#synchronize('NORMAL')
    this.#map(true)
    // A checkpoint waits for the disk. Fewer checkpoints make single writes faster but the log longer (16 MiB).
    const { logPages = 4000 } = this.#driver
    this.#driver.exec(`PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${logPages}`)
  }

  /** True if the driver has work to do when the database is idle. */
  get rests(): boolean {
    return this.#driver.rest !== undefined
  }

  /** Runs the driver's idle work. Call it after a period without writes. */
  rest(): void {
    if (this.isOpen && this.#depth === 0) this.#driver.rest?.()
  }

  listen(listener: TransactionListener): void {
    this.#listeners.push(listener)
  }

  /** Returns the cached statement for an SQL text, prepared at first use. */
  prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    this.checkOpen()
    const statement = this.#trackWrites(sql, () => this.#compile(sql))
    this.#statements.set(sql, statement)
    return statement
  }

  #compile(sql: string): Statement {
    try {
      this.checkOpen()
      return this.#driver.prepare(withoutReplanning(sql))
    } catch (error) {
      // A statement that does not compile is not cached.
      this.#statements.delete(sql)
      throw error
    }
  }

  /** Returns a function that prepares SQL with `$name` as a placeholder for a table. Statements are cached by the shorter text with placeholders. */
  over(names: { readonly [name: string]: string }): (text: string) => Statement {
    const known = new Map<string, Statement>()
    return text => {
      const statement =
        known.get(text) ?? this.prepare(text.replace(/\$(\w+)/g, (_, name: string) => names[name] ?? name))
      known.set(text, statement)
      return statement
    }
  }

  /** Prepares a statement without caching it; the caller frees it. */
  prepareForeign(sql: string): Statement {
    this.checkOpen()
    const statement = this.#driver.prepare(sql)
    return this.#trackWrites(sql, () => statement, statement)
  }

  /** Runs `use` with a statement that is not cached, such as one written by a user. */
  withStatement<T>(sql: string, use: (statement: Statement) => T): T {
    const statement = this.prepareForeign(sql)
    try {
      return use(statement)
    } finally {
      statement.free()
    }
  }

  /** Collects the rows of a SELECT written by the app, within its time limit. */
  within<Row>(limited: LimitedSql, read: () => Iterable<Row>): readonly Row[] {
    return rowsWithin(this.#driver, limited, read)
  }

  exec(sql: string): void {
    this.#written |= writtenBits(sql)
    this.#driver.exec(sql)
  }

  /** Sequence number of the open transaction in this process; 0 if none is open. */
  get transactionNumber(): number {
    return this.#depth > 0 ? this.#transactions : 0
  }

  /** The files that the open transaction has written so far. May include a file whose write was rolled back in a savepoint. */
  get writtenFiles(): readonly File[] {
    return FILES.filter((_, at) => this.#written & (1 << at))
  }

  get inTransaction(): boolean {
    return this.#depth > 0
  }

  /**
   * Runs a function in the open transaction, or in a new one that locks only the files that it writes. If another process has written to one of them
   * since it was read, the function runs again with all files locked.
   */
  write<T>(run: () => T): T {
    if (this.#depth > 0) return run()
    try {
      return this.#outermost(run, 'BEGIN')
    } catch (error) {
      if (!isBusy(error)) throw error
      return this.#outermost(run)
    }
  }

  /** Runs a transaction, which may be nested. WAL makes a commit atomic per file. */
  transaction<T>(run: () => T): T {
    return this.#depth > 0 ? this.#runSavepoint(run) : this.#outermost(run)
  }

  /** Runs `undo` if the open transaction, or one around it, is rolled back. For state in memory that mirrors the tables. */
  onRollback(undo: () => void): void {
    this.#undos.add(undo)
  }

  /** Runs a transaction. When this returns, it and all earlier commits survive a power failure. */
  durable<T>(run: () => T): T {
    return this.#depth > 0 ? this.#runSavepoint(run) : this.#outermost(run, 'BEGIN IMMEDIATE', 'FULL')
  }

  /** Attaches an unencrypted file under a schema name while `run` runs. */
  async withFile<T>(file: string, schema: string, run: () => Promise<T>): Promise<T> {
    this.#driver.attachPlain(file, schema)
    try {
      return await run()
    } finally {
      if (this.isOpen) this.#driver.detach(schema)
    }
  }

  /** Disables memory mapping while `run` runs, so that a full scan uses no more memory than the cache. */
  async unmapped<T>(run: () => Promise<T>): Promise<T> {
    if (this.#unmapping++ === 0) this.#map(false)
    try {
      return await run()
    } finally {
      if (--this.#unmapping === 0) this.#map(true)
    }
  }

  get isOpen(): boolean {
    return !this.#closed
  }

  /** Throws `sdk_closed` after closing; cached statements would throw an error of the driver instead. */
  checkOpen(): void {
    if (this.#closed) throw new SyncError('sdk_closed', 'This SDK was closed. Open the device again.')
  }

  close(): void {
    this.#closed = true
    for (const statement of this.#statements.values()) statement.free()
    this.#statements.clear()
    this.#driver.close()
  }

  /** Records which files a statement writes at each use. */
  #trackWrites(sql: string, compile: () => Statement, given?: Statement): Statement {
    const bits = writtenBits(sql)
    const recordWrite = (): void => {
      this.#written |= bits
    }
    return lazyStatement(compile, recordWrite, given)
  }

  /** Enables or disables memory mapping of the files. Mapped pages stay in memory until the system needs it. */
  #map(isMapped: boolean): void {
    const { mappedBytes } = this.#driver
    if (mappedBytes === undefined) return
    const bytes = isMapped ? mappedBytes : 0
    for (const schema of SCHEMAS)
      this.withStatement(`PRAGMA ${quote(schema)}.mmap_size = ${bytes}`, pragma => pragma.get())
  }

  /** Returns the cache size in KiB for each file, larger for files that are not mapped, where each page read costs a system call. */
  #cacheSize(): number {
    return this.#driver.mappedBytes === undefined ? 24_000 : 8000
  }

  /** Sets the `synchronous` level. It changes only when a transaction needs the other level, because durable transactions come in series. */
  #synchronize(level: SyncLevel): void {
    if (level === this.#level) return
    this.#level = undefined
    this.#driver.exec(FILES.map(schema => `PRAGMA ${quote(schema)}.synchronous = ${level}`).join('; '))
    this.#level = level
  }

  #outermost<T>(run: () => T, begin = 'BEGIN IMMEDIATE', level: SyncLevel = 'NORMAL'): T {
    this.#synchronize(level)
    for (const listener of this.#listeners) listener.begun?.()
    const result = this.#runTransaction(run, begin)
    for (const listener of this.#listeners) listener.committed()
    return result
  }

  #runTransaction<T>(run: () => T, begin: string): T {
    this.prepare(begin).run()
    this.#written = 0
    this.#depth++
    this.#transactions++
    this.#undos.begun()
    try {
      const result = synchronousResult(run())
      this.prepare('COMMIT').run()
      this.#undos.committed()
      return result
    } catch (error) {
      this.#undo('ROLLBACK')
      this.#undos.rolledBack()
      for (const listener of this.#listeners) listener.rolledBack()
      throw error
    } finally {
      this.#depth--
    }
  }

  #runSavepoint<T>(run: () => T): T {
    const name = `level_${this.#depth}`
    this.prepare(`SAVEPOINT ${name}`).run()
    this.#depth++
    this.#undos.begun()
    try {
      const result = synchronousResult(run())
      this.prepare(`RELEASE ${name}`).run()
      this.#undos.committed()
      return result
    } catch (error) {
      this.#undo(`ROLLBACK TO ${name}`)
      this.#undo(`RELEASE ${name}`)
      this.#undos.rolledBack()
      throw error
    } finally {
      this.#depth--
    }
  }

  // SQLite may already have rolled back, for example on a full disk. A second rollback would throw an error that hides the first.
  #undo(sql: string): void {
    try {
      this.prepare(sql).run()
    } catch {}
  }
}

/**
 * Hides parameters from the planner by unary plus, so that a statement is not planned again for each value, which costs many times a short read. The
 * pattern of a LIKE stays visible, because the planner uses its prefix.
 */
const withoutReplanning = (sql: string): string =>
  /\b(LIKE|GLOB)\b/i.test(sql) ? sql : sql.replace(/'[^']*'|"[^"]*"|\?/g, part => (part === '?' ? '+?' : part))

/** Returns the bit set of the files that a statement writes. */
const writtenBits = (sql: string): number => writtenBy(sql).reduce((bits, file) => bits | (1 << FILES.indexOf(file)), 0)

const isBusy = (error: unknown): boolean => isSyncError(error) && /locked|busy/i.test(error.message)
