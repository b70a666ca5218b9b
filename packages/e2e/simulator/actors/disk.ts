import { rmSync, writeFileSync } from 'node:fs'
import type { Drive, Driver, SqlRow, SqlValue, Statement } from '@godwit/model/driver'
import Database from 'better-sqlite3'
import { newPath } from '../world/immediate-files.js'
import { StoredFiles } from './device-files.js'

/** A planned kill of a device's process: before or after the commit that follows `left` others. */
export interface PlannedKill {
  left: number
  readonly edge: 'before' | 'after'
}

/** The disk's view of a process of the device. */
export interface DiskProcess {
  readonly drive: Drive
  readonly files: ReturnType<StoredFiles['seenBy']>
  readonly isDead: boolean
  /** Resolves when the process dies. */
  readonly death: Promise<void>
  /** Plans a kill of the process; undefined cancels it. */
  killAt(killAt: PlannedKill | undefined): void
  /** Kills the process: later writes do not reach the disk, and uncommitted ones are lost. */
  kill(): void
}

/** The disk of one device, in memory; committed data survives processes. All processes share one connection, since transactions are synchronous. */
export class Disk {
  readonly #database = new Database(':memory:')
  readonly #attached = new Set<string>()
  /** Paths of attached bulk files, by schema. */
  readonly #plain = new Map<string, string>()
  readonly #statements = new Map<string, Statement>()
  readonly #onDeath: () => void
  readonly files: StoredFiles
  #locked: object | undefined
  /** Incremented when the files may have changed. */
  changes = 0

  constructor(onDeath: () => void, now: () => number) {
    this.#onDeath = onDeath
    this.files = new StoredFiles(now)
  }

  process(): DiskProcess {
    let dead = false
    const { promise: death, resolve: die } = Promise.withResolvers<void>()
    let killAt: PlannedKill | undefined
    const kill = (): void => {
      if (dead) return
      dead = true
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      this.changes++
      if (this.#locked === owner) this.#locked = undefined
      die()
      this.#onDeath()
    }
    const strike = (edge: PlannedKill['edge']): void => {
      if (killAt?.edge === edge && killAt.left-- <= 0) kill()
      check()
    }
    const check = (): void => {
      if (dead) throw new Error('this process was killed')
    }
    const owner = {}
    const lock = () => {
      check()
      if (this.#locked) return undefined
      this.#locked = owner
      return () => {
        if (this.#locked === owner) this.#locked = undefined
      }
    }
    return {
      drive: { open: () => this.#driver(check, strike), delete: () => check(), lock },
      files: this.files.seenBy(strike),
      get isDead() {
        return dead
      },
      death,
      killAt(given) {
        killAt = given
      },
      kill,
    }
  }

  /** Runs SQL outside of any process, to damage the data. */
  damage(sql: string): void {
    this.changes++
    this.#database.exec(sql)
  }

  close(): void {
    this.#database.close()
  }

  #driver(check: () => void, strike: (edge: PlannedKill['edge']) => void): Driver {
    return {
      prepare: sql => {
        check()
        return crashableStatement(this.#prepare(sql), sql === 'COMMIT' ? strike : check)
      },
      exec: sql => {
        check()
        this.changes++
        this.#database.exec(sql)
      },
      attach: (_, schema) => {
        check()
        if (!this.#attached.has(schema)) this.#database.exec(`ATTACH ':memory:' AS "${schema}"`)
        this.#attached.add(schema)
      },
      attachPlain: (file, schema) => {
        check()
        this.#attachFile(file, schema)
      },
      detach: schema => {
        check()
        this.#detachFile(schema)
      },
      close: () => {},
    }
  }

  /** Attaches a copy of a file, after detaching what a dead process may have left under the schema. */
  #attachFile(file: string, schema: string): void {
    this.#detachFile(schema)
    const path = newPath()
    writeFileSync(path, this.files.bytesOf(file) ?? new Uint8Array())
    this.#database.exec(`ATTACH '${path}' AS "${schema}"`)
    this.#plain.set(schema, path)
  }

  /** Detaches a bulk file; schemas of partitions stay attached for other processes. */
  #detachFile(schema: string): void {
    const path = this.#plain.get(schema)
    if (path === undefined) return
    for (const sql of this.#statements.keys()) if (sql.includes(schema)) this.#statements.delete(sql)
    this.#database.exec(`DETACH "${schema}"`)
    this.#plain.delete(schema)
    rmSync(path, { force: true })
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    // One prepared statement returns rows or arrays, since preparing takes most of a device's start.
    const prepared = this.#database.prepare<SqlValue[], SqlRow>(sql)
    let raw = false
    const as = (wanted: boolean): typeof prepared => {
      if (raw !== wanted) prepared.raw(wanted)
      raw = wanted
      return prepared
    }
    const isRead = prepared.readonly && !/^(ROLLBACK|RELEASE|ATTACH|DETACH)/.test(sql)
    const using = (wanted: boolean): typeof prepared => {
      if (!isRead) this.changes++
      return as(wanted)
    }
    const statement: Statement = {
      run: (...values) => using(raw).run(...values).changes,
      get: (...values) => using(false).get(...values),
      all: (...values) => using(false).all(...values),
      arrays: (...values) => using(true).all(...values) as unknown as SqlValue[][],
      iterate: (...values) => using(false).iterate(...values),
      iterateArrays: (...values) => using(true).iterate(...values) as unknown as IterableIterator<SqlValue[]>,
      readonly: prepared.readonly,
      // The statement is reused by the next process.
      free() {},
    }
    this.#statements.set(sql, statement)
    return statement
  }
}

/** Wraps a statement of a process, which may die before or after it; `strike` throws if the process is dead. */
function crashableStatement(statement: Statement, strike: (edge: 'before' | 'after') => void): Statement {
  const around =
    <Values extends readonly unknown[], Result>(run: (...values: Values) => Result) =>
    (...values: Values): Result => {
      strike('before')
      const result = run(...values)
      strike('after')
      return result
    }
  return {
    run: around(statement.run),
    get: around(statement.get),
    all: around(statement.all),
    arrays: around(statement.arrays),
    iterate: around(statement.iterate),
    iterateArrays: around(statement.iterateArrays),
    readonly: statement.readonly,
    free: statement.free,
  }
}
