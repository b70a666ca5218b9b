import { resolve } from 'node:path'
import { SyncError } from '@godwit/protocol'
import { openFile } from './backup/open-file.js'
import { isSqliteError } from './failure.js'
import { createPrivateFile, createPrivateFolderOf } from './private-files.js'

/** The exclusive use of a store by one server, until `close` or the end of its process. */
export interface StoreLock {
  close(): void
}

/**
 * Prevents other servers from opening the store in this file, though not backups or other commands; throws `store_unavailable` if another process
 * holds it. The lock is a system lock on a separate file, so a killed process releases it.
 */
export function lockSqliteStore(path: string): StoreLock {
  const lockFile = `${resolve(path)}.server`
  try {
    return lock(lockFile)
  } catch (cause) {
    // Other errors, such as a full disk, concern the store as well: opening it reports or tolerates them.
    if (!isSqliteError(cause) || !/BUSY|LOCKED/.test(cause.code)) return { close() {} }
    const message = `Another server has the store ${path} open. Stop it, or name another store; several servers share one on Redis.`
    throw new SyncError('store_unavailable', message, { cause, retryable: false })
  }
}

function lock(lockFile: string): StoreLock {
  createPrivateFolderOf(lockFile)
  createPrivateFile(lockFile)
  const handle = openFile(lockFile)
  try {
    // Nothing is ever written, so this needs no disk space and leaves no journal.
    handle.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    handle.close()
    throw error
  }
  return {
    close() {
      handle.close()
    },
  }
}
