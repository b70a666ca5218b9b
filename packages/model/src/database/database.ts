import { isSyncError, SyncError } from '@godwit/protocol'
import type { Drive, Driver, Statement } from './driver.js'
import { FILES, type File, SCHEMAS, writtenBy } from './files.js'
import { lazyStatement } from './lazy-statement.js'
import { synchronousResult } from './synchronous-result.js'
import { quote } from './table-shape.js'
import { type LimitedSql, rowsWithin } from './time-limit.js'
import { Undos } from './undos.js'

export const MAIN_FILE = 'device.sqlite'

/** Hears how outermost transactions begin and end. */
export interface TransactionListener {
  begun?(): void
  /** After it is over. */
  committed(): void
  rolledBack(): void
}

/** `FULL`: a commit survives a power cut. */
type SyncLevel = 'FULL' | 'NORMAL'

/** One connection with the file of every partition: prepared statements and transactions. */
export class DeviceDatabase {
  readonly #driver: Driver
  readonly #statements = new Map<string, Statement>()
  readonly #undos = new Undos()
  readonly #listeners: TransactionListener[] = []
  /** The files that the open transaction wrote, one bit each. */
  #written = 0
  #unmapping = 0
  /** The level of every file; undefined before it is set. */
  #level: SyncLevel | undefined
  #depth = 0
  #transactions = 0
  #closed = false

  /** How long a SELECT that the app wrote may take. Undefined: as long as it takes. */
  readonly sqlTimeoutMilliseconds: number | undefined

  constructor(drive: Drive, sqlTimeoutMilliseconds?: number) {
    this.sqlTimeoutMilliseconds = sqlTimeoutMilliseconds
    this.#driver = drive.open(MAIN_FILE)
    for (const schema of SCHEMAS) this.#driver.attach(`${schema}.sqlite`, schema)
    for (const schema of FILES) this.#driver.exec(`PRAGMA ${quote(schema)}.cache_size = -${this.#cacheSize()}`)
    this.#synchronize('NORMAL')
    this.#map(true)
    // A checkpoint waits for the disk: fewer of them make single writes faster, at the price of a longer log (16 MiB).
    const { logPages = 4000 } = this.#driver
    this.#driver.exec(`PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${logPages}`)
  }

  /** Whether its driver has something to do when nothing is written. */
  get rests(): boolean {
    return this.#driver.rest !== undefined
  }

  /** To be called when nothing was written for a moment. */
  rest(): void {
    if (this.isOpen && this.#depth === 0) this.#driver.rest?.()
  }

  listen(listener: TransactionListener): void {
    this.#listeners.push(listener)
  }

  /** Prepared once per text, when it is first used. */
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
      // One that cannot be compiled is not kept.
      this.#statements.delete(sql)
      throw error
    }
  }

  /** Prepares texts in which `$name` stands for a table; looked up by the short text, as it is written. */
  over(names: { readonly [name: string]: string }): (text: string) => Statement {
    const known = new Map<string, Statement>()
    return text => {
      const statement =
        known.get(text) ?? this.prepare(text.replace(/\$(\w+)/g, (_, name: string) => names[name] ?? name))
      known.set(text, statement)
      return statement
    }
  }

  /** Prepares a statement that is not cached: the caller frees it. */
  prepareForeign(sql: string): Statement {
    this.checkOpen()
    const statement = this.#driver.prepare(sql)
    return this.#trackWrites(sql, () => statement, statement)
  }

  /** Runs what uses a statement once: of a text that users wrote, or that is not used again. */
  withStatement<T>(sql: string, use: (statement: Statement) => T): T {
    const statement = this.prepareForeign(sql)
    try {
      return use(statement)
    } finally {
      statement.free()
    }
  }

  /** Collects rows of a SELECT that the app wrote, within its time. */
  within<Row>(limited: LimitedSql, read: () => Iterable<Row>): readonly Row[] {
    return rowsWithin(this.#driver, limited, read)
  }

  exec(sql: string): void {
    this.#written |= writtenBits(sql)
    this.#driver.exec(sql)
  }

  /** Which one is open, of this process; 0: none. */
  get transactionNumber(): number {
    return this.#depth > 0 ? this.#transactions : 0
  }

  /** The files that the open transaction wrote so far: maybe one more, where a part of it was undone; never one less. */
  get writtenFiles(): readonly File[] {
    return FILES.filter((_, at) => this.#written & (1 << at))
  }

  get inTransaction(): boolean {
    return this.#depth > 0
  }

  /**
   * Runs in the open transaction, else in a new one; the first write has to be the one that can fail. It locks only the files it writes,
   * and runs again when another process has written to one of them since it was read here.
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

  /** All or nothing, also inside another one. WAL makes a commit atomic per file. */
  transaction<T>(run: () => T): T {
    return this.#depth > 0 ? this.#runSavepoint(run) : this.#outermost(run)
  }

  /** Runs if the open transaction is undone, or one around it: for what is known of the tables beside them. */
  onRollback(undo: () => void): void {
    this.#undos.add(undo)
  }

  /** On disk when it returns, with everything committed before: also a power cut keeps it. */
  durable<T>(run: () => T): T {
    return this.#depth > 0 ? this.#runSavepoint(run) : this.#outermost(run, 'BEGIN IMMEDIATE', 'FULL')
  }

  /** While it runs, a file that others made is there under a schema name. */
  async withFile<T>(file: string, schema: string, run: () => Promise<T>): Promise<T> {
    this.#driver.attachPlain(file, schema)
    try {
      return await run()
    } finally {
      if (this.isOpen) this.#driver.detach(schema)
    }
  }

  /** While it runs, no more of the files is resident than the cache holds, whatever is looked through. */
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

  /** Throws `sdk_closed` once it is closed: statements that others hold tell it in words of their driver. */
  checkOpen(): void {
    if (this.#closed) throw new SyncError('sdk_closed', 'This SDK was closed. Open the device again.')
  }

  close(): void {
    this.#closed = true
    for (const statement of this.#statements.values()) statement.free()
    this.#statements.clear()
    this.#driver.close()
  }

  /** Notes which files a statement writes whenever it is used. */
  #trackWrites(sql: string, compile: () => Statement, given?: Statement): Statement {
    const bits = writtenBits(sql)
    const tell = (): void => {
      this.#written |= bits
    }
    return lazyStatement(compile, tell, given)
  }

  /** Maps the files into memory or unmaps them. Mapped pages stay resident until the memory is needed elsewhere. */
  #map(isMapped: boolean): void {
    const { mappedBytes } = this.#driver
    if (mappedBytes === undefined) return
    const bytes = isMapped ? mappedBytes : 0
    for (const schema of SCHEMAS)
      this.withStatement(`PRAGMA ${quote(schema)}.mmap_size = ${bytes}`, pragma => pragma.get())
  }

  /** KiB of each file. Where the operating system keeps none of it within reach, the cache is all that saves a call for each page. */
  #cacheSize(): number {
    return this.#driver.mappedBytes === undefined ? 24_000 : 8000
  }

  /** Sets how a commit reaches the disk. The level stays until a transaction needs the other: durable ones come in rows. */
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

  // SQLite rolls back by itself when the disk is full, say; a second time is an error that would hide the first.
  #undo(sql: string): void {
    try {
      this.prepare(sql).run()
    } catch {}
  }
}

/**
 * Unary plus hides parameters from the planner, which otherwise plans a statement again for other values: many times the cost of a short read. The prefix of
 * a LIKE pattern stays visible, as it is worth it.
 */
const withoutReplanning = (sql: string): string =>
  /\b(LIKE|GLOB)\b/i.test(sql) ? sql : sql.replace(/'[^']*'|"[^"]*"|\?/g, part => (part === '?' ? '+?' : part))

/** The files that a statement writes, one bit each. */
const writtenBits = (sql: string): number => writtenBy(sql).reduce((bits, file) => bits | (1 << FILES.indexOf(file)), 0)

const isBusy = (error: unknown): boolean => isSyncError(error) && /locked|busy/i.test(error.message)
