import { resolve } from 'node:path'
import { isSyncError, SyncError } from '@godwit/protocol'
import BetterSqlite3 from 'better-sqlite3'
import { isFull, isSqliteError } from './failure.js'
import { assertOurs, migrate } from './migrate.js'
import { createPrivateFile, createPrivateFolderOf, restrictToOwner } from './private-files.js'
import type { SqliteHandle } from './sqlite-handle.js'
import { type SqliteStore, sqliteStore } from './sqlite-store.js'
import type { SqliteStoreOptions } from './sqlite-store-options.js'

const IN_MEMORY = ':memory:'

/** Milliseconds that a statement waits for a write of another process. Waiting blocks the event loop. */
const BUSY_TIMEOUT = 2_000

/** The page cache of each connection in KiB; the system caches the file anyway. */
const CACHE = 8_000

/** Pages in the log before a checkpoint: 16 MiB. Index pages change often, and are written back once for all these changes. */
const LOG = 4_000

const OLDEST_NODE = 22

/**
 * Opens the store in this file with its jobs; creates the file and its folder if missing. `:memory:` keeps it in memory until `close`. Rejects with
 * `store_unavailable` if the file cannot be opened, is not a database, or belongs to another program or a newer version.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  assertNode()
  const opened: SqliteHandle[] = []
  const open: OpenOptions = (name, { readonly = false, exclusive = false } = {}) => {
    const handle = new BetterSqlite3(name, { timeout: BUSY_TIMEOUT, readonly })
    opened.push(handle)
    if (exclusive) handle.exec('PRAGMA locking_mode = EXCLUSIVE')
    handle.exec(`PRAGMA cache_size = -${CACHE}`)
    return handle
  }
  const closeAll = (): void => {
    for (const handle of opened.splice(0)) handle.close()
  }
  try {
    const { writer, reader } = path === IN_MEMORY ? openInMemory(open) : openOnDisk(open, resolve(path), closeAll)
    return sqliteStore({ writer, reader, scratch: openScratch }, options)
  } catch (error) {
    closeAll()
    throw cannotOpen(path, error)
  }
}

type OpenOptions = (
  name: string,
  options?: { readonly readonly?: boolean; readonly exclusive?: boolean },
) => SqliteHandle

function openInMemory(open: OpenOptions) {
  const handle = open(IN_MEMORY)
  migrate(handle, IN_MEMORY)
  return { writer: handle, reader: handle }
}

function openOnDisk(open: OpenOptions, path: string, closeAll: () => void) {
  createPrivateFolderOf(path)
  createPrivateFile(path)
  try {
    return openFile(open, path)
  } catch (error) {
    if (!isWithoutRoom(error)) throw error
    closeAll()
    return openExclusive(open, path)
  }
}

/** Connections share an index of the log in a separate file, which cannot be created on a full disk. */
const isWithoutRoom = (error: unknown): boolean =>
  isSqliteError(error) && /^SQLITE_(IOERR_SHM|IOERR_WRITE|FULL|CANTOPEN)/.test(error.code)

/**
 * Opens the file exclusively. A single connection keeps the index of the log in memory, so it can read on a full disk; no other process can open the
 * file meanwhile.
 */
function openExclusive(open: OpenOptions, path: string) {
  const handle = open(path, { exclusive: true })
  assertOurs(handle, path)
  restrictToOwner(path)
  handle.exec(SETTINGS)
  migrate(handle, path)
  handle.exec('PRAGMA temp_store = MEMORY')
  return { writer: handle, reader: handle }
}

const SETTINGS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${LOG}`

function openFile(open: OpenOptions, path: string) {
  const writer = open(path)
  assertOurs(writer, path)
  restrictToOwner(path)
  writer.exec(SETTINGS)
  migrate(writer, path)
  // Keeps rollback data of savepoints in memory instead of a file. Set after the migrations, which sort whole tables.
  writer.exec('PRAGMA temp_store = MEMORY')
  return { writer, reader: open(path, { readonly: true }) }
}

/** Opens a temporary database. Its contents are not needed after a crash, so it has no journal or sync, and a single transaction. */
function openScratch(): SqliteHandle {
  const handle = new BetterSqlite3('')
  handle.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE}; BEGIN`)
  return handle
}

/** The native library crashes on older versions. */
function assertNode(): void {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= OLDEST_NODE) return
  const message = `The SQLite store needs Node ${OLDEST_NODE} or newer; this is ${node}.`
  throw new SyncError('store_unavailable', message, { retryable: false })
}

function adviceOn(cause: unknown): string {
  if (isFull(cause)) return 'Make room on its disk.'
  if (isSqliteError(cause) && cause.code.startsWith('SQLITE_CORRUPT')) return 'Keep the file, and restore a backup.'
  return 'Name a database of Godwit, or a new file in a folder that can be written.'
}

function cannotOpen(path: string, cause: unknown): SyncError {
  if (isSyncError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `Cannot open ${path} as a SQLite store: ${reason}. ${adviceOn(cause)}`
  return new SyncError('store_unavailable', message, { cause, retryable: false })
}
