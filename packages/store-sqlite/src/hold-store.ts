import { resolve } from 'node:path'
import { SyncError } from '@godwit/protocol'
import { openFile } from './backup/open-file.js'
import { isSqliteError } from './failure.js'
import { createPrivateFile, createPrivateFolderOf } from './private-files.js'

/** The store is one server's until `close`, or until its process ends. */
export interface HeldStore {
  close(): void
}

/**
 * Keeps other servers from the store in this file; backups, and commands that open it for a moment, are not kept from it. Throws `store_unavailable`
 * where another process holds it. The lock is one of the system on a file beside it: a process that is killed holds nothing.
 */
export function holdSqliteStore(path: string): HeldStore {
  const place = `${resolve(path)}.server`
  try {
    return lock(place)
  } catch (cause) {
    // What else is wrong there, or a full disk, concerns the store itself: its opening tells, or does without.
    if (!isSqliteError(cause) || !/BUSY|LOCKED/.test(cause.code)) return { close() {} }
    const message = `Another server has the store ${path} open. Stop it, or name another store; several servers share one on Redis.`
    throw new SyncError('store_unavailable', message, { cause, retryable: false })
  }
}

function lock(place: string): HeldStore {
  createPrivateFolderOf(place)
  createPrivateFile(place)
  const handle = openFile(place)
  try {
    // Nothing is ever written: it needs no room, and leaves no journal.
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
