import { MAIN_FILE } from '../database/database.js'
import type { Drive } from '../database/driver.js'
import { memoryDrive } from './memory-drive.js'
import { memoryFiles } from './memory-files.js'
import { removeCheckFiles } from './opfs.js'
import { type BrowserFiles, type DeviceFolders, knownFiles, openFolders, opfsFiles } from './opfs-files.js'
import { openPool } from './pool.js'
import { registerPool } from './pool-vfs.js'
import { NO_RESERVE, openReserve, type Reserve } from './reserve.js'
import { fillPool, pathInPool, sahpoolDrive } from './sahpool-drive.js'
import { loadSqlite3, type Sqlite3 } from './sqlite3.js'
import { warmUp } from './warm-up.js'
import { whenFree } from './when-free.js'

/** Where a browser stores a device. */
export interface StorageOptions {
  /** The device's name within the origin. */
  readonly name: string
  /** The address of `sqlite3.wasm`. Default: beside the script of the worker, where bundlers put it. */
  readonly wasm?: string | URL | undefined
  /** Where the device's data is: on disk, or in memory and gone with the worker. Default: `opfs`. */
  readonly storage?: 'opfs' | 'memory' | undefined
  /** Told whenever the device begins or ends to have no room. */
  readonly roomChanged?: (() => void) | undefined
}

/** Where a worker keeps a device. */
export interface BrowserStorage {
  readonly storage: 'opfs' | 'memory'
  readonly drive: Drive
  readonly files: BrowserFiles
  readonly reserve: Reserve
  /** Nothing of the device was there. */
  readonly isNew: boolean
  /** Lets go of every file, once the device is closed. */
  close(): void
}

/** What was begun before. */
export interface Begun {
  readonly loading?: Promise<Sqlite3>
  readonly folders?: Promise<DeviceFolders>
}

/** Opens the storage of a device, in a dedicated worker. Rejects where the origin has no private files, or another worker has them. */
export async function openStorage(
  { name, wasm, storage = 'opfs', roomChanged = () => {} }: StorageOptions,
  { loading = loadSqlite3(wasm), folders: opening }: Begun = {},
): Promise<BrowserStorage> {
  if (storage === 'memory') return memoryStorage(await loading)
  opening ??= openFolders(name)
  // The files are opened while SQLite is loaded.
  let isOpen = false
  const startWarmUp = (): void => void loading.then(sqlite3 => warmUp(sqlite3, () => isOpen)).catch(() => {})
  const pooling = opening.then(({ database }) => whenFree(() => openPool(database, startWarmUp)))
  const reserving = opening.then(({ device }) => openReserve(device, roomChanged))
  const listing = opening.then(knownFiles)
  try {
    const [sqlite3, pool, reserve, folders, known] = await Promise.all([loading, pooling, reserving, opening, listing])
    isOpen = true
    const isNew = !pool.has(pathInPool(MAIN_FILE))
    await fillPool(pool, reserve)
    // Nothing waits for it: the next opening removes what this one leaves.
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
    // What came to be open is free for the next who tries.
    for (const part of [pooling, reserving])
      part.then(
        part => part.close(),
        () => {},
      )
    throw error
  }
}

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
