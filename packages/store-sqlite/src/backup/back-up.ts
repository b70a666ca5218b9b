import { existsSync, renameSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkSqliteStore, type StoreFile } from './check-file.js'
import { type CopyOptions, copyFile, placeBeside, removeFile, syncFolder } from './copy-file.js'
import { refusal } from './open-file.js'

export interface BackUpOptions extends CopyOptions {
  /** Puts the copy in the place of a file that is there. Default false: refused. */
  readonly overwrite?: boolean
}

/**
 * Copies the store in this file as it is at one moment, while a server, also of another process, reads and writes it: copy → check → its name.
 * `to` is whole or not there. Rejects with `store_unavailable`.
 */
export async function backUpSqliteStore(path: string, to: string, options: BackUpOptions = {}): Promise<StoreFile> {
  if (resolve(path) === resolve(to)) throw refusal(`A backup needs a file of its own, got the store itself: ${to}.`)
  if (existsSync(to) && options.overwrite !== true) throw refusal(`There is a file ${to} already.`)
  const copy = placeBeside(to)
  try {
    await copyFile(path, copy, options)
    const held = checkSqliteStore(copy)
    renameSync(copy, to)
    syncFolder(to)
    return { ...held, path: to }
  } finally {
    removeFile(copy)
  }
}
