import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Mode of files that only their owner can read, because they hold the user's data and session unencrypted. */
export const OWN_FILE = 0o600
const OWN_FOLDER = 0o700
/** Suffixes of a database file and its journals. */
export const SUFFIXES = ['', '-wal', '-shm', '-journal'] as const
const STICKY = 0o1000

/** Creates a folder that only its owner can enter, or restricts an existing one. A folder shared by all users (`/tmp`) is not changed. */
export function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWN_FOLDER })
  restrict(path, OWN_FOLDER)
}

/** Like `ownFolder`, and also restricts the files directly in the folder. */
export function ownFolderWithFiles(path: string): void {
  const isOpen = isReadByOthers(path)
  ownFolder(path)
  if (isOpen) for (const name of readdirSync(path)) restrict(join(path, name), OWN_FILE)
}

/** Creates a database file that only its owner can read, or restricts it and its journals: SQLite gives journals the mode of the file. */
export function ownDatabase(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) closeSync(openSync(path, 'a', OWN_FILE))
  for (const end of SUFFIXES) restrict(path + end, OWN_FILE)
}

const isReadByOthers = (path: string): boolean => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  return mode !== undefined && (mode & 0o077) !== 0
}

/** Removes permissions beyond `most`. Files of another owner are not changed. */
function restrict(path: string, most: number): void {
  try {
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0 && (mode & STICKY) === 0) chmodSync(path, mode & most)
  } catch {}
}
