import { SELECT_BYTES } from '../measure.js'
import { assertOurs, userVersion } from '../migrate.js'
import { openFile, refusal, type StoreHandle, storeErrors } from './open-file.js'

/** What a file of a store holds. */
export interface StoreFile {
  readonly path: string
  /** With what is still in the `-wal` file beside it. */
  readonly bytes: number
  /** How many migrations it has seen. */
  readonly schema: number
  readonly collections: number
  readonly objects: number
  readonly users: number
  /** Mutations of devices without an outcome. */
  readonly undecided: number
}

/** How much of a file is checked. */
export interface CheckOptions {
  /** Leaves out whether each index fits its table, which takes most of the time. Default false. */
  readonly quick?: boolean
}

/** Reads the whole file, beside a server too. Rejects with `store_unavailable` when it is no store of this or an older Godwit, or damaged. */
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
