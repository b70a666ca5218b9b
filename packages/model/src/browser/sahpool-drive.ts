import { quote } from '../columns/table-shape.js'
import type { Drive, Driver } from '../platform/driver.js'
import type { Pool } from './pool.js'
import type { Reserve } from './reserve.js'
import type { Sqlite3 } from './sqlite3.js'
import { wasmDriver } from './wasm-driver.js'

/** Number of files: four of a device, their logs, one of bulk data with its journal, and some left by a killed tab. */
const POOL_FILES = 16
/** Number of free files kept: enough for a new device. */
const FREE_FILES = 8
/** Pages of 8 KiB in the log: an opening after a kill reads at most this many, and calls wait while they are moved. */
const LOG_PAGES = 700
const JOURNALS = ['', '-wal', '-journal'] as const

/** Creates missing pool files at each opening. An earlier worker may have been interrupted, and none can be created while a statement runs. */
export async function fillPool(pool: Pool, reserve: Pick<Reserve, 'isCause' | 'isFull'>): Promise<void> {
  for (;;) {
    const { isFull } = reserve
    try {
      await pool.reserveMinimumCapacity(Math.max(POOL_FILES, pool.getFileNames().length + FREE_FILES))
      return
    } catch (error) {
      if (!reserve.isCause(error)) throw error
      // On a full disk, the existing files may be enough.
      if (isFull) return
    }
  }
}

/** The path by which SQLite knows a file of the pool. */
export const pathInPool = (file: string): string => `/${file}`

/** Options of a drive over a pool. */
export interface PoolDriveOptions {
  readonly sqlite3: Sqlite3
  readonly pool: Pool
  /** The name under which SQLite knows the pool. */
  readonly vfs: string
  readonly reserve: Pick<Reserve, 'isCause' | 'isFull'>
}

/** A device's files in a pool. File handles are exclusive, so the worker that holds them has the device. */
export function sahpoolDrive({ sqlite3, pool, vfs, reserve }: PoolDriveOptions): Drive {
  let isLocked = false
  return {
    open(file) {
      const driver = wasmDriver(sqlite3, {
        path: pathInPool(file),
        vfs,
        logPages: LOG_PAGES,
        isFull: error => reserve.isCause(error) || (reserve.isFull && pool.getFileNames().length >= pool.getCapacity()),
        // Moving a log needs space before it frees any; on a full disk that space is left for sending.
        mayRest: () => !reserve.isFull,
        attach(driver, file, schema) {
          attach(driver, file, schema)
          useLog(driver, schema)
        },
        attachPlain: attach,
      })
      // Without shared memory, WAL needs an exclusive file. Set without a schema, this also applies to files attached later.
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
