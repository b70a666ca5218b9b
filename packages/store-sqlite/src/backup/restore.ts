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

/** The name of the former file, and what to complete before the restored one takes its place. */
export interface RestoreOptions extends CopyOptions, RenewOptions {
  /** Milliseconds since 1970, for the name of the former file. Default `Date.now`. */
  readonly clock?: () => number
  /** What is to stand in the restored store before it takes its place. If it rejects, so does the restore, and nothing has changed. */
  readonly complete?: (restored: Store, former: FormerStore) => Promise<void>
}

/** The store that was replaced by a restore. */
export interface FormerStore {
  /** Where its audit ended. Absent: it had none, or could not be read. */
  readonly audit?: AuditHead
}

/** The store after a restore, and where the former file is. */
export interface RestoredStore extends StoreFile {
  /** Where the file that was there is now; absent: there was none. */
  readonly former?: string
}

/**
 * Replaces a store that no server has open by a backup: copy → check → migrate → new epochs → rename.
 * The former file is kept beside it, and there is a store at every moment. Rejects with `store_unavailable` and changes nothing.
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
    const held = prepare(copy, from, options)
    if (options.complete) await complete(copy, former, options.complete)
    await throwIfAborted(options)
    const kept = swap(copy, to, options.clock ?? Date.now)
    return { ...held, path: to, ...(kept !== undefined && { former: kept }) }
  } finally {
    removeFile(copy)
  }
}

/** What the present store can tell. Throws where a server has it open. */
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
      const held = checkHandle(handle, from)
      migrate(handle, from)
      renewEpochs(handle, options)
      return held
    })
  } finally {
    handle.close()
  }
}

/** Renames the files under a lock, so that the former file is not opened meanwhile. */
function swap(copy: string, to: string, clock: () => number): string | undefined {
  if (!existsSync(to)) {
    // A log without its file would be read into the new one.
    removeFile(to)
    renameSync(copy, to)
    syncFolder(to)
    return undefined
  }
  const held = holdAlone(to)
  // Windows renames no open file.
  if (process.platform === 'win32') held?.close()
  try {
    const former = `${to}.before-restore-${new Date(clock()).toISOString().replace(/[-:.]/g, '')}`
    keepAs(to, former)
    renameSync(copy, to)
    syncFolder(to)
    return former
  } finally {
    held?.close()
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

/** The store without a log and locked; undefined where it is too damaged for either, which no server could work with. */
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
