import { resolve } from 'node:path'
import { isSyncError, SyncError } from '@godwit/protocol'
import type { StoreOptions } from '@godwit/store'
import BetterSqlite3 from 'better-sqlite3'
import { isFull, isSqliteError } from './failure.js'
import { assertOurs, migrate } from './migrate.js'
import { createPrivateFile, createPrivateFolderOf, restrictToOwner } from './private-files.js'
import type { SqliteHandle } from './sqlite-handle.js'
import { type SqliteStore, sqliteStore } from './sqlite-store.js'

const IN_MEMORY = ':memory:'

/** How long a statement waits for another process that writes, in milliseconds. Waiting holds the event loop. */
const BUSY_TIMEOUT = 2_000

/** Of each connection, in KiB: the system keeps the file in memory anyway. */
const CACHE = 8_000

/** Pages in the log before they are written back: 16 MiB. Index pages are changed often and so written back once. */
const LOG = 4_000

const OLDEST_NODE = 22

/**
 * Opens the store in this file, with its jobs, or makes it, with its folder. `:memory:` keeps it in memory, gone at `close`.
 * Rejects with `store_unavailable` when the file cannot be opened, is no database, is one of another program or of a newer Godwit.
 */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<SqliteStore> {
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

/** Connections share an index of the log in a file beside it: on a full disk that cannot be made. */
const isWithoutRoom = (error: unknown): boolean =>
  isSqliteError(error) && /^SQLITE_(IOERR_SHM|IOERR_WRITE|FULL|CANTOPEN)/.test(error.code)

/** One connection alone keeps the index of the log in memory, and so reads on a full disk. No other process can open the file meanwhile. */
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
  // What a savepoint may have to bring back is else written to a file, page by page. Not before the migrations: they sort whole tables.
  writer.exec('PRAGMA temp_store = MEMORY')
  return { writer, reader: open(path, { readonly: true }) }
}

/** Nothing in it outlives its connection: neither journal nor sync, and one transaction that never ends. */
function openScratch(): SqliteHandle {
  const handle = new BetterSqlite3('')
  handle.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE}; BEGIN`)
  return handle
}

/** The native library ends the whole process on older ones. */
function assertNode(): void {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= OLDEST_NODE) return
  const message = `The SQLite store needs Node ${OLDEST_NODE} or newer; this is ${node}.`
  throw new SyncError('store_unavailable', message, { retryable: false })
}

function cannotOpen(path: string, cause: unknown): SyncError {
  if (isSyncError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const todo = isFull(cause)
    ? 'Make room on its disk.'
    : 'Name a database of Godwit, or a new file in a folder that can be written.'
  const message = `Cannot open ${path} as a SQLite store: ${reason}. ${todo}`
  return new SyncError('store_unavailable', message, { cause, retryable: false })
}
