import { copyFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@godwit/store'
import { migrate, type SqliteHandle, sqliteStore } from '@godwit/store-sqlite'
import BetterSqlite3 from 'better-sqlite3'
import type { Dice } from '../simulator/world/dice.js'

const SETTINGS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 100000'
const FILE = 'godwit.sqlite'

/** A SQLite store with `normal` durability that knows how much of its log is on the disk, as far as the disk was waited for. */
export interface VolatileStore {
  readonly store: Store
  /** Copies the files into a folder as a power failure may leave them: the log is cut anywhere after its last flush. Returns the lost bytes. */
  copyTo(folder: string, dice: Dice): number
}

/** What survived is on the disk: the next log is empty. */
function moveLogIntoFile(path: string): void {
  const database = new BetterSqlite3(path)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Opens such a store in a folder. No checkpoint runs before it is closed, so the log has all writes. */
export function openVolatileStore(folder: string, clock: () => number): VolatileStore {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, FILE)
  const writer = new BetterSqlite3(path)
  writer.exec(SETTINGS)
  migrate(writer, path)
  const log = `${path}-wal`
  const logBytes = () => (existsSync(log) ? statSync(log).size : 0)
  let flushed = 0
  let waits = true
  const handle: SqliteHandle = {
    get inTransaction() {
      return writer.inTransaction
    },
    prepare(sql) {
      const statement = writer.prepare(sql)
      const run = statement.run.bind(statement)
      return Object.assign(statement, {
        run: (...values: Parameters<typeof run>) => {
          const result = run(...values)
          // A commit that waits flushes the log. It is never told from here whether the disk did so by itself before.
          if (waits && !writer.inTransaction) flushed = logBytes()
          return result
        },
      })
    },
    exec(sql) {
      const level = /^PRAGMA synchronous = (\w+)$/.exec(sql)?.[1]
      if (level !== undefined) waits = level === 'FULL'
      return writer.exec(sql)
    },
    close: () => writer.close(),
  }
  const reader = new BetterSqlite3(path, { readonly: true })
  const options = { durability: 'normal', clock } as const
  const store = sqliteStore({ writer: handle, reader, scratch: () => new BetterSqlite3('') }, options)
  return {
    store,
    copyTo(target, dice) {
      mkdirSync(target, { recursive: true })
      const written = logBytes()
      const kept = dice.between(flushed, written)
      copyFileSync(path, join(target, FILE))
      if (existsSync(log)) {
        copyFileSync(log, join(target, `${FILE}-wal`))
        truncateSync(join(target, `${FILE}-wal`), kept)
        moveLogIntoFile(join(target, FILE))
      }
      return written - kept
    },
  }
}
