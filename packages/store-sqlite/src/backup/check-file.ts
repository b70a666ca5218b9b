import { SELECT_BYTES } from '../measure.js'
import { assertOurs, userVersion } from '../migrate.js'
import { openFile, refusal, type StoreHandle, storeErrors } from './open-file.js'

/** The contents of a store's file. */
export interface StoreFile {
  readonly path: string
  /** The size, including pages still in the `-wal` file. */
  readonly bytes: number
  /** The number of migrations applied. */
  readonly schema: number
  readonly collections: number
  readonly objects: number
  readonly users: number
  /** Mutations of devices without an outcome. */
  readonly undecided: number
}

/** The options of a check. */
export interface CheckOptions {
  /** Skips comparing indexes with their tables, which takes most of the time. Default false. */
  readonly quick?: boolean
}

/**
 * Checks the whole file, also while a server uses it. Rejects with `store_unavailable` if it is damaged, or is not a store of this or an older
 * version.
 */
export function checkSqliteStore(path: string, options: CheckOptions = {}): StoreFile {
  const handle = openFile(path)
  try {
    return storeErrors(path, () => checkHandle(handle, path, options))
  } finally {
    handle.close()
  }
}

export function checkHandle(handle: StoreHandle, path: string, { quick = false }: CheckOptions = {}): StoreFile {
  assertOurs(handle, path)
  if (userVersion(handle) === 0) throw refusal(`${path} is empty: no store was ever made in it.`)
  const found = handle.pragma(quick ? 'quick_check(3)' : 'integrity_check(3)') as readonly object[]
  const problems = found.flatMap(row => Object.values(row) as string[]).filter(text => text !== 'ok')
  if (problems.length > 0) throw refusal(`${path} is damaged: ${problems.join('; ')}. Use another backup.`)
  const count = (from: string): number => handle.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number
  return {
    path,
    bytes: handle.prepare(SELECT_BYTES).pluck().get() as number,
    schema: userVersion(handle),
    collections: count('collection'),
    objects: count('object WHERE text IS NOT NULL'),
    users: count("record WHERE kind = 'user'"),
    undecided: count('mutation WHERE decided = 0'),
  }
}
