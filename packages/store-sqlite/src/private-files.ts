import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, parse } from 'node:path'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS_MODE = 0o077
const JOURNALS = ['-wal', '-shm', '-journal']

/** Creates the folder of a file for its owner only. Restricts an existing folder if it has no other files than the store's. */
export function createPrivateFolderOf(path: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  const { name } = parse(path)
  if (modeOf(folder) !== undefined && readdirSync(folder).every(entry => entry.startsWith(name)))
    restrict(folder, FOLDER_MODE)
}

/** Creates an empty file that only its owner can read, unless it exists. SQLite gives the journals beside it the same mode. */
export function createPrivateFile(path: string): void {
  if (modeOf(path) === undefined) closeSync(openSync(path, 'a', FILE_MODE))
}

/**
 * Restricts the file and its journals to their owner, since they hold hashes of passwords and tokens. Ignores errors, such as those of a process that
 * does not own them.
 */
export function restrictToOwner(path: string): void {
  for (const one of withJournals(path)) restrict(one, FILE_MODE)
}

/** Lists the store's files that other users of the machine can read or write. */
export const filesOpenToOthers = (path: string): readonly string[] =>
  process.platform === 'win32' ? [] : withJournals(path).filter(one => ((modeOf(one) ?? 0) & OTHERS_MODE) !== 0)

const withJournals = (path: string): readonly string[] => [path, ...JOURNALS.map(end => path + end)]

const modeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mode

function restrict(path: string, most: number): void {
  const mode = modeOf(path)
  if (mode === undefined || (mode & OTHERS_MODE) === 0) return
  try {
    chmodSync(path, mode & most)
  } catch {}
}
