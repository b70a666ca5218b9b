import { openMemoryStore, type Store, type StoreOptions } from '@godwit/store'
import { migrate, renewEpochs, type SqliteHandle, sqliteStore } from '@godwit/store-sqlite'
import Database from 'better-sqlite3'
import type { Scheduler } from './scheduler.js'

/** Restores a copy of the store after its process has ended: with new epochs, like the restore command, or as a plain file. */
export type StoreCopy = (how: { readonly renewed: boolean }) => Promise<void>

/** The storage of a store, which survives server processes. */
export interface StoreDisk {
  /** Opens the store for a new process. */
  open(): Store
  /** Ends the current process: uncommitted data is lost. */
  crash(): void
  /** Copies committed data; undefined if the store cannot be copied. */
  backUp(): Promise<StoreCopy | undefined>
  /** Whether a copy can be restored with new epochs. */
  readonly renews: boolean
  /** Called when its world ends. */
  close(): void
}

export interface StoreDiskOptions extends StoreOptions {
  /** The world's scheduler, which also waits for an external store. */
  readonly scheduler: Scheduler
}

/** Returns a store in memory, which survives crashes: it has no transactions that a crash could interrupt. */
export function memoryStoreDisk(options: StoreDiskOptions): StoreDisk {
  const store = openMemoryStore(options)
  return { open: () => store, crash: () => {}, backUp: async () => undefined, renews: true, close: () => {} }
}

let empty: Buffer | undefined

/** Returns the serialized file of a new store; its migrations run once per process. */
function emptyStore(): Buffer {
  if (empty) return empty
  const database = new Database(':memory:')
  migrate(database as SqliteHandle, ':memory:')
  empty = database.serialize()
  database.close()
  return empty
}

/** Returns SQLite in memory that behaves like a file: each opened store has a connection that can break. */
export function sqliteStoreDisk(options: StoreDiskOptions): StoreDisk {
  let database = new Database(emptyStore())
  let connection = breakableConnection(database)
  return {
    open() {
      connection = breakableConnection(database)
      return sqliteStore({ writer: connection, reader: connection, scratch: scratchDatabase }, options)
    },
    crash() {
      connection.break()
      if (database.inTransaction) database.exec('ROLLBACK')
    },
    async backUp() {
      const copy = database.serialize()
      return async ({ renewed }) => {
        this.close()
        database = new Database(Buffer.from(copy))
        if (renewed) renewEpochs(database as SqliteHandle, options)
      }
    },
    renews: true,
    close() {
      connection.break()
      database.close()
    },
  }
}

/** Returns a connection that fails all statements after `break`, including commits. */
function breakableConnection(database: Database.Database): SqliteHandle & { break(): void } {
  let broken = false
  const check = (): void => {
    if (broken) throw new Error('the process of this connection is gone')
  }
  return {
    get inTransaction() {
      return !broken && database.inTransaction
    },
    prepare(sql) {
      check()
      const statement = database.prepare(sql)
      const withCheck =
        <Given extends readonly unknown[], Result>(run: (...given: Given) => Result) =>
        (...given: Given): Result => {
          check()
          return run(...given)
        }
      return {
        run: withCheck((...given) => statement.run(...given)),
        get: withCheck((...given) => statement.get(...given)),
        all: withCheck((...given) => statement.all(...given)),
        iterate: withCheck((...given) => statement.iterate(...given)),
      }
    },
    exec(sql) {
      check()
      database.exec(sql)
    },
    close() {},
    break() {
      broken = true
    },
  }
}

function scratchDatabase(): SqliteHandle {
  const handle = new Database('')
  handle.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN')
  return handle as SqliteHandle
}
