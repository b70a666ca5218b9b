import type { Drive } from '../database/driver.js'
import { memoryDrive } from './memory-drive.js'
import { memoryFiles } from './memory-files.js'
import { folderOf } from './opfs.js'
import { type BrowserFiles, opfsFiles } from './opfs-files.js'
import { openPool, sahpoolDrive } from './sahpool-drive.js'
import { loadSqlite3, type SahPool, type Sqlite3 } from './sqlite3.js'

export interface StorageOptions {
  /** The device's name within the origin. */
  readonly name: string
  /** The address of `sqlite3.wasm`. Default: beside the JavaScript of `@sqlite.org/sqlite-wasm`, where bundlers put it. */
  readonly wasm?: string | URL | undefined
  /** Where the device's data is: on disk, or in memory and gone with the worker. Default: `opfs`. */
  readonly storage?: 'opfs' | 'memory' | undefined
}

/** Where a worker keeps a device. */
export interface BrowserStorage {
  readonly storage: 'opfs' | 'memory'
  readonly drive: Drive
  readonly files: BrowserFiles
  /** Lets go of every file, once the device is closed. */
  close(): void
}

/** Handles of a worker that ended are free a moment after its locks are. */
const ATTEMPTS = 40
const WAIT_MILLISECONDS = 50

/** Opens the storage of a device, in a dedicated worker. Rejects where the origin has no private files, or another worker has them. */
export async function openStorage({ name, wasm, storage = 'opfs' }: StorageOptions): Promise<BrowserStorage> {
  const sqlite3 = await loadSqlite3(wasm)
  if (storage === 'memory') return inMemory(sqlite3)
  const folder = folderOf(name)
  const pool = await freePool(sqlite3, name, `${folder}/database`)
  return {
    storage,
    drive: sahpoolDrive(sqlite3, pool),
    files: await opfsFiles(folder, pool),
    close: () => void pool.pauseVfs(),
  }
}

function inMemory(sqlite3: Sqlite3): BrowserStorage {
  const files = memoryFiles()
  return { storage: 'memory', drive: memoryDrive(sqlite3, files), files, close() {} }
}

async function freePool(sqlite3: Sqlite3, name: string, folder: string): Promise<SahPool> {
  for (let attempt = 1; ; attempt++)
    try {
      return await openPool(sqlite3, { name, folder })
    } catch (error) {
      if (!isTaken(error) || attempt === ATTEMPTS) throw error
      await new Promise(resolve => setTimeout(resolve, WAIT_MILLISECONDS))
    }
}

const isTaken = (error: unknown): boolean => (error as { name?: unknown }).name === 'NoModificationAllowedError'
