import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import type { AuditHead, Store } from '@godwit/store'
import { SELECT_HEAD } from '../audit.js'
import { isSqliteError } from '../failure.js'
import { assertGodwit, migrate } from '../migrate.js'
import { openSqliteStore } from '../open-sqlite-store.js'
import { createPrivateFolderOf, restrictToOwner } from '../private-files.js'
import { checkHandle, type StoreFile } from './check-file.js'
import {
  type CopyOptions,
  copyFile,
  leaveLog,
  placeBeside,
  removeFile,
  syncFolder,
  throwIfAborted,
} from './copy-file.js'
import { openFile, refusal, type StoreHandle, storeErrors } from './open-file.js'
import { fileErrors, isSameFile } from './paths.js'
import { type RenewOptions, renewEpochs } from './renew-epochs.js'

/** The options of a restore. */
export interface RestoreOptions extends CopyOptions, RenewOptions {
  /** Milliseconds since 1970, used in the name of the former file. Default `Date.now`. */
  readonly clock?: () => number
  /** Called with the restored store before it replaces the present one. If it rejects, the restore rejects and changes nothing. */
  readonly complete?: (restored: Store, former: FormerStore) => Promise<void>
}

/** Facts about the store that a restore replaces. */
export interface FormerStore {
  /** The last entry of its audit; absent if it has none or is unreadable. */
  readonly audit?: AuditHead
}

/** The restored store. */
export interface RestoredStore extends StoreFile {
  /** The new path of the replaced file; absent if there was none. */
  readonly former?: string
}

/**
 * Replaces a store that no server has open with a backup: copy, check, migrate, renew epochs, rename. Keeps the former file beside it, and has a
 * store in place at every moment; rejects with `store_unavailable` and changes nothing.
 */
export async function restoreSqliteStore(
  from: string,
  to: string,
  options: RestoreOptions = {},
): Promise<RestoredStore> {
  if (isSameFile(from, to)) throw refusal(`expected a backup, got the store itself: ${from}.`)
  fileErrors(to, () => createPrivateFolderOf(to))
  const former = existsSync(to) ? readFormer(to) : {}
  const copy = fileErrors(to, () => placeBeside(to))
  try {
    await copyFile(from, copy, options)
    const integrity = prepare(copy, from, options)
    if (options.complete) await complete(copy, former, options.complete)
    await throwIfAborted(options)
    const kept = swap(copy, to, options.clock ?? Date.now)
    return { ...integrity, path: to, ...(kept !== undefined && { former: kept }) }
  } finally {
    removeFile(copy)
  }
}

/** Reads facts from the present store, if it is readable. Throws if a server has it open. */
function readFormer(path: string): FormerStore {
  const handle = holdAlone(path)
  try {
    const audit = handle?.prepare<[], AuditHead>(SELECT_HEAD).get()
    return audit === undefined ? {} : { audit }
  } catch (error) {
    if (isSqliteError(error)) return {}
    throw error
  } finally {
    handle?.close()
  }
}

async function complete(copy: string, former: FormerStore, work: NonNullable<RestoreOptions['complete']>) {
  const store = await openSqliteStore(copy)
  try {
    await work(store, former)
  } finally {
    await store.close()
  }
}

function prepare(copy: string, from: string, options: RestoreOptions): StoreFile {
  const handle = openFile(copy)
  try {
    return storeErrors(from, () => {
      const integrity = checkHandle(handle, from)
      migrate(handle, from)
      renewEpochs(handle, options)
      return integrity
    })
  } finally {
    handle.close()
  }
}

/** Renames the files under a lock, so that no server opens the former file meanwhile. */
function swap(copy: string, to: string, clock: () => number): string | undefined {
  if (!existsSync(to)) {
    // SQLite would apply a leftover log to the new file.
    removeFile(to)
    renameSync(copy, to)
    syncFolder(to)
    return undefined
  }
  const lock = holdAlone(to)
  // Windows cannot rename an open file.
  if (process.platform === 'win32') lock?.close()
  try {
    const former = `${to}.before-restore-${new Date(clock()).toISOString().replace(/[-:.]/g, '')}`
    keepAs(to, former)
    renameSync(copy, to)
    syncFolder(to)
    return former
  } finally {
    lock?.close()
  }
}

function keepAs(path: string, former: string): void {
  try {
    linkSync(path, former)
  } catch {
    copyFileSync(path, former)
  }
  // Only a damaged file still has a log here.
  for (const end of ['-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, former + end)
  restrictToOwner(former)
  rmSync(`${path}-journal`, { force: true })
}

/** Turns the log off and locks the file exclusively. Returns undefined for a file too damaged for either. */
function holdAlone(path: string): StoreHandle | undefined {
  const handle = openFile(path)
  try {
    assertGodwit(handle, path)
    leaveLog(handle)
    handle.exec('BEGIN EXCLUSIVE')
    return handle
  } catch (error) {
    handle.close()
    if (!isSqliteError(error)) throw error
    if (!/BUSY|LOCKED/.test(error.code)) return undefined
    throw refusal(`${path} is in use. Stop the server that has it open, then restore again.`, error)
  }
}
