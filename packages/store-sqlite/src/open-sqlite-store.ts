import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isSyncError, SyncError } from '@godwit/protocol'
import type { Store, StoreOptions } from '@godwit/store'
import BetterSqlite3 from 'better-sqlite3'
import { assertOurs, migrate } from './migrate.js'
import type { SqliteHandle, SqliteHandles } from './sqlite-handle.js'
import { sqliteStore } from './sqlite-store.js'

/** How long a statement waits for another process that writes, in milliseconds. Waiting holds the event loop. */
const BUSY_TIMEOUT = 2_000

const OLDEST_NODE = 22

/**
 * Opens the store in this file, or makes it, with its folder. `:memory:` keeps it in memory, gone at `close`.
 * Rejects with `store_unavailable` when the file cannot be opened, is no database, is one of another program or of a newer Godwit.
 */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<Store> {
  assertNode()
  return sqliteStore(path === ':memory:' ? inMemory() : onFile(resolve(path)), options)
}

function inMemory(): SqliteHandles {
  const handle = open(':memory:')
  migrate(handle)
  return { writer: handle, reader: handle, scratch }
}

function onFile(path: string): SqliteHandles {
  const opened: SqliteHandle[] = []
  try {
    mkdirSync(dirname(path), { recursive: true })
    const writer = open(path)
    opened.push(writer)
    assertOurs(writer, path)
    writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(writer)
    const reader = open(path, { readonly: true })
    opened.push(reader)
    return { writer, reader, scratch }
  } catch (error) {
    for (const handle of opened) handle.close()
    throw cannotOpen(path, error)
  }
}

/** Nothing in it outlives its connection: neither journal nor sync, and one transaction that never ends. */
function scratch(): SqliteHandle {
  const handle = open('')
  handle.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000; BEGIN')
  return handle
}

function open(path: string, options: BetterSqlite3.Options = {}): SqliteHandle {
  return new BetterSqlite3(path, { timeout: BUSY_TIMEOUT, ...options })
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
  const message = `Cannot open ${path} as a SQLite store: ${reason}. Name a file in a folder that can be written.`
  return new SyncError('store_unavailable', message, { cause, retryable: false })
}
