import { SyncError } from '@godwit/protocol'
import { AUDIT } from './schema/audit.js'
import { BLOBS } from './schema/blobs.js'
import { CHANGE_LOG } from './schema/change-log.js'
import { COLLECTIONS } from './schema/collections.js'
import { DUE_TIMES } from './schema/due-times.js'
import { JOBS } from './schema/jobs.js'
import { JOURNAL } from './schema/journal.js'
import { RECORDS } from './schema/records.js'
import type { SqliteHandle } from './sqlite-handle.js'

/** The migrations in order; `user_version` is the number applied to a file. Only ever append to this list. */
const MIGRATIONS: readonly string[] = [
  [COLLECTIONS, JOURNAL, RECORDS, BLOBS, JOBS, AUDIT].join(''),
  CHANGE_LOG,
  DUE_TIMES,
]

/** Marks a file as a Godwit store: "Gdwt". */
const APPLICATION_ID = 0x47647774

/** Throws unless this version can use the file. Writes nothing, since it may belong to another program. */
export function assertOurs(handle: SqliteHandle, path: string): void {
  assertGodwit(handle, path)
  assertKnown(handle, path)
}

function assertKnown(handle: SqliteHandle, path: string): void {
  const version = userVersion(handle)
  if (version > MIGRATIONS.length)
    throw refusal(
      `${path} was written by a newer Godwit: it has schema ${version}, this one knows ${MIGRATIONS.length}. Update Godwit, or open a backup from before.`,
    )
}

/** Throws if the file is another program's database; an empty file may become a store. */
export function assertGodwit(handle: SqliteHandle, path: string): void {
  const tables = number(handle, 'SELECT count(*) AS value FROM sqlite_schema')
  if (tables > 0 && applicationId(handle) !== APPLICATION_ID)
    throw refusal(`${path} is a SQLite database of another program. Name another file, or none to begin a new store.`)
}

/** Migrates the file to the present schema in one transaction. Throws if its schema is newer. */
export function migrate(handle: SqliteHandle, path: string): void {
  // Avoids a write, so that a store on a full disk can still be read.
  if (userVersion(handle) === MIGRATIONS.length && applicationId(handle) === APPLICATION_ID) return
  handle.exec('BEGIN IMMEDIATE')
  try {
    // A newer version may have migrated the file since it was opened.
    assertKnown(handle, path)
    for (const migration of MIGRATIONS.slice(userVersion(handle))) handle.exec(migration)
    handle.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`)
    handle.exec('COMMIT')
  } catch (error) {
    if (handle.inTransaction) handle.exec('ROLLBACK')
    throw error
  }
}

/** The number of migrations applied to a file; 0 for a new one. */
export const userVersion = (handle: SqliteHandle) =>
  number(handle, 'SELECT user_version AS value FROM pragma_user_version')

const applicationId = (handle: SqliteHandle) =>
  number(handle, 'SELECT application_id AS value FROM pragma_application_id')

const number = (handle: SqliteHandle, sql: string) => (handle.prepare(sql).get() as { readonly value: number }).value

const refusal = (message: string) => new SyncError('store_unavailable', message, { retryable: false })
