import type { Drive, Driver } from '../database/driver.js'
import { quote } from '../database/table-shape.js'
import type { Pool } from './pool.js'
import type { Reserve } from './reserve.js'
import type { Sqlite3 } from './sqlite3.js'
import { wasmDriver } from './wasm-driver.js'

/** Four files of a device, their logs, one of bulk data with its journal, and some for what a killed tab left. */
const FILES = 16
/** Free ones beside those that have a name: enough for a new device. */
const FREE_FILES = 8
/** Of 8 KiB: an opening after a kill reads no more than these, and what the app asks waits while they are moved. */
const LOG_PAGES = 700
const JOURNALS = ['', '-wal', '-journal'] as const

/** Makes the files that SQLite can open, at each opening: a worker may have ended before all were made, and none can be made while a statement runs. */
export async function fillPool(pool: Pool, reserve: Pick<Reserve, 'isCause' | 'isFull'>): Promise<void> {
  for (;;) {
    const { isFull } = reserve
    try {
      await pool.reserveMinimumCapacity(Math.max(FILES, pool.getFileNames().length + FREE_FILES))
      return
    } catch (error) {
      if (!reserve.isCause(error)) throw error
      // The files that are there may be enough.
      if (isFull) return
    }
  }
}

/** How SQLite knows a file of the pool. */
export const pathInPool = (file: string): string => `/${file}`

/** What a drive over a pool is made of. */
export interface PoolDriveOptions {
  readonly sqlite3: Sqlite3
  readonly pool: Pool
  /** The name under which SQLite knows the pool. */
  readonly vfs: string
  readonly reserve: Pick<Reserve, 'isCause' | 'isFull'>
}

/** A device's files in a pool. Its handles are exclusive: who has them is the only one. */
export function sahpoolDrive({ sqlite3, pool, vfs, reserve }: PoolDriveOptions): Drive {
  let isLocked = false
  return {
    open(file) {
      const driver = wasmDriver(sqlite3, {
        path: pathInPool(file),
        vfs,
        logPages: LOG_PAGES,
        isFull: error => reserve.isCause(error) || (reserve.isFull && pool.getFileNames().length >= pool.getCapacity()),
        // Moving a log takes room before it gives any: what sending needs is left to it.
        mayRest: () => !reserve.isFull,
        attach(driver, file, schema) {
          attach(driver, file, schema)
          useLog(driver, schema)
        },
        attachPlain: attach,
      })
      // Without memory that processes share, a log needs its file to itself. Said of none, it holds for what is attached later.
      driver.exec('PRAGMA locking_mode = exclusive')
      useLog(driver, 'main')
      return driver
    },
    delete(file) {
      for (const end of JOURNALS) pool.unlink(pathInPool(file) + end)
    },
    lock() {
      if (isLocked) return undefined
      isLocked = true
      return () => {
        isLocked = false
      }
    },
  }
}

type DatabaseHandle = Pick<Driver, 'prepare' | 'exec'>

function attach({ prepare }: DatabaseHandle, file: string, schema: string): void {
  const statement = prepare(`ATTACH ? AS ${quote(schema)}`)
  try {
    statement.run(pathInPool(file))
  } finally {
    statement.free()
  }
}

const useLog = ({ exec }: DatabaseHandle, schema: string): void => exec(`PRAGMA ${quote(schema)}.journal_mode = WAL`)
