import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The mode of files that only their owner may read: a device holds its user's data and session in clear. */
export const OWN_FILE = 0o600
const OWN_FOLDER = 0o700
/** A database file and its journals. */
export const SUFFIXES = ['', '-wal', '-shm', '-journal'] as const
const STICKY = 0o1000

/** Makes a folder that its owner alone can enter, or brings one to that. A folder that all users share (`/tmp`) stays as it is. */
export function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWN_FOLDER })
  restrict(path, OWN_FOLDER)
}

/** The same with the files directly in it. */
export function ownFolderWithFiles(path: string): void {
  const isOpen = isReadByOthers(path)
  ownFolder(path)
  if (isOpen) for (const name of readdirSync(path)) restrict(join(path, name), OWN_FILE)
}

/** Makes a database file that its owner alone can read, or brings one and its journals to that: SQLite gives its journals the mode of the file. */
export function ownDatabase(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) closeSync(openSync(path, 'a', OWN_FILE))
  for (const end of SUFFIXES) restrict(path + end, OWN_FILE)
}

const isReadByOthers = (path: string): boolean => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  return mode !== undefined && (mode & 0o077) !== 0
}

/** Takes away what is beyond `most`. Who does not own it cannot, and uses it as it is. */
function restrict(path: string, most: number): void {
  try {
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0 && (mode & STICKY) === 0) chmodSync(path, mode & most)
  } catch {}
}
