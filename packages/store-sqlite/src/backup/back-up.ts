import { existsSync, renameSync } from 'node:fs'
import { checkSqliteStore, type StoreFile } from './check-file.js'
import { type CopyOptions, copyFile, placeBeside, removeFile, syncFolder, throwIfAborted } from './copy-file.js'
import { refusal } from './open-file.js'
import { assertWritablePath, fileErrors } from './paths.js'

/** The options of a backup. */
export interface BackUpOptions extends CopyOptions {
  /** True if the copy may replace an existing file. Default false: an existing file is an error. */
  readonly overwrite?: boolean
}

/**
 * Copies a store as of one moment, while a server, also in another process, reads and writes it: copy, check, rename. `to` is either complete or not
 * created. Rejects with `store_unavailable`.
 */
export async function backUpSqliteStore(path: string, to: string, options: BackUpOptions = {}): Promise<StoreFile> {
  assertWritablePath(to, path)
  if (existsSync(to) && options.overwrite !== true) throw refusal(`There is a file ${to} already.`)
  const copy = fileErrors(to, () => placeBeside(to))
  try {
    await copyFile(path, copy, options)
    const integrity = checkSqliteStore(copy)
    await throwIfAborted(options)
    fileErrors(to, () => renameSync(copy, to))
    syncFolder(to)
    return { ...integrity, path: to }
  } finally {
    removeFile(copy)
  }
}
