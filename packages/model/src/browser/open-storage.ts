import { MAIN_FILE } from '../database/database.js'
import type { Drive } from '../database/driver.js'
import { memoryDrive } from './memory-drive.js'
import { memoryFiles } from './memory-files.js'
import { folderOf, removeCheckFiles } from './opfs.js'
import { type BrowserFiles, openFolders, opfsFiles } from './opfs-files.js'
import { NO_RESERVE, openReserve, type Reserve } from './reserve.js'
import { fillPool, openPool, pathInPool, sahpoolDrive } from './sahpool-drive.js'
import { loadSqlite3, type Sqlite3 } from './sqlite3.js'
import { whenFree } from './when-free.js'

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

/**
 * Opens the storage of a device, in a dedicated worker. Rejects where the origin has no private files, or another worker has them.
 * `loading`: SQLite that was begun to be loaded before.
 */
export async function openStorage(
  { name, wasm, storage = 'opfs', roomChanged = () => {} }: StorageOptions,
  loading: Promise<Sqlite3> = loadSqlite3(wasm),
): Promise<BrowserStorage> {
  if (storage === 'memory') return inMemory(await loading)
  const path = folderOf(name)
  // Handles of folders alone, while SQLite is loaded.
  const opening = openFolders(path)
  opening.catch(() => {})
  const sqlite3 = await loading
  const pool = await whenFree(() => openPool(sqlite3, { name, folder: `${path}/database` }))
  const folders = await opening
  const isNew = !pool.getFileNames().includes(pathInPool(MAIN_FILE))
  const reserve = await openReserve(folders.device, roomChanged)
  await fillPool(pool, reserve)
  const files = await opfsFiles(folders, pool, reserve)
  // Nothing waits for it: the next opening removes what this one leaves.
  removeCheckFiles().catch(() => {})
  return {
    storage,
    isNew,
    reserve,
    drive: sahpoolDrive(sqlite3, pool, reserve),
    files,
    close() {
      pool.pauseVfs()
      reserve.close()
    },
  }
}

function inMemory(sqlite3: Sqlite3): BrowserStorage {
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
