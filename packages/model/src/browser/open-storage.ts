import { SyncError } from '@godwit/protocol'
import { MAIN_FILE } from '../database/database.js'
import type { Drive } from '../platform/driver.js'
import { memoryDrive } from './memory-drive.js'
import { memoryFiles } from './memory-files.js'
import { removeCheckFiles } from './opfs.js'
import { type BrowserFiles, type DeviceFolders, knownFiles, openFolders, opfsFiles } from './opfs-files.js'
import { openPool } from './pool.js'
import { registerPool } from './pool-vfs.js'
import { NO_RESERVE, openReserve, type Reserve } from './reserve.js'
import { retryWhileLocked } from './retry-while-locked.js'
import { fillPool, pathInPool, sahpoolDrive } from './sahpool-drive.js'
import { loadSqlite3, type Sqlite3 } from './sqlite3.js'
import { warmUp } from './warm-up.js'

/** How a browser stores a device. */
export interface StorageOptions {
  /** The device's name within the origin. */
  readonly name: string
  /** The URL of `sqlite3.wasm`. Default: beside the worker's script, where bundlers place it. */
  readonly wasm?: string | URL | undefined
  /** Whether data is stored on disk or in memory, where it is lost with the worker. Default: `opfs`. */
  readonly storage?: 'opfs' | 'memory' | undefined
  /** Called whenever the disk becomes full or has room again. */
  readonly roomChanged?: (() => void) | undefined
}

/** The storage of a device in a worker. */
export interface BrowserStorage {
  readonly storage: 'opfs' | 'memory'
  readonly drive: Drive
  readonly files: BrowserFiles
  readonly reserve: Reserve
  /** True if the device had no data. */
  readonly isNew: boolean
  /** Releases every file. Call it after closing the device. */
  close(): void
}

/** Work that was started before the storage is opened. */
export interface StartedWork {
  readonly loading?: Promise<Sqlite3>
  readonly folders?: Promise<DeviceFolders>
}

/** Opens the storage of a device in a dedicated worker. Rejects if the origin has no private file system, or if another worker uses the files. */
export async function openStorage(
  { name, wasm, storage = 'opfs', roomChanged = () => {} }: StorageOptions,
  { loading = loadSqlite3(wasm), folders: opening }: StartedWork = {},
): Promise<BrowserStorage> {
  if (storage === 'memory') return memoryStorage(await loading)
  opening ??= openFolders(name)
  // The files are opened while SQLite loads.
  let isOpen = false
  const startWarmUp = (): void => void loading.then(sqlite3 => warmUp(sqlite3, () => isOpen)).catch(() => {})
  const pooling = opening.then(({ database }) => retryWhileLocked(() => openPool(database, startWarmUp)))
  const reserving = opening.then(({ device }) => openReserve(device, roomChanged))
  const listing = opening.then(knownFiles)
  try {
    const parts = inTime(Promise.all([pooling, reserving, opening, listing]))
    const [sqlite3, [pool, reserve, folders, known]] = await Promise.all([loading, parts])
    isOpen = true
    const isNew = !pool.has(pathInPool(MAIN_FILE))
    await inTime(fillPool(pool, reserve))
    // Not awaited: the next opening removes what this one leaves.
    removeCheckFiles().catch(() => {})
    const vfs = `godwit-${name}`
    const unregister = registerPool(sqlite3, vfs, pool)
    return {
      storage,
      isNew,
      reserve,
      drive: sahpoolDrive({ sqlite3, pool, vfs, reserve }),
      files: opfsFiles(folders, { known, pool, isCause: reserve.isCause }),
      close() {
        unregister()
        pool.close()
        reserve.close()
      },
    }
  } catch (error) {
    // Releases the parts that did open, so that another attempt can use them.
    for (const part of [pooling, reserving])
      part.then(
        part => part.close(),
        () => {},
      )
    throw error
  }
}

/** Milliseconds within which a browser has to open the files of a device. */
const FILES_TIMEOUT_MS = 20_000

/** Rejects where a browser neither opens files nor says why. */
async function inTime<T>(opening: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silentFilesError()), FILES_TIMEOUT_MS)
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}

const silentFilesError = (): SyncError =>
  new SyncError(
    'database_failed',
    `The local database failed: the browser did not open its files within ${FILES_TIMEOUT_MS / 1000} seconds. Reload this page, or restart the browser.`,
  )

function memoryStorage(sqlite3: Sqlite3): BrowserStorage {
  const files = memoryFiles()
  return {
    storage: 'memory',
    isNew: true,
    reserve: NO_RESERVE,
    drive: memoryDrive(sqlite3, files),
    files,
    close() {},
  }
}
