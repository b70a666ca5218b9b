import { SyncError } from '@godwit/protocol'
import { fingerprintOf } from './schema/fingerprint.js'
import { MIGRATIONS } from './schema/migrations.js'
import type { SqliteHandle } from './sqlite-handle.js'

/** Marks a file as a Godwit store: "Gdwt". */
const APPLICATION_ID = 0x47647774

/** Throws unless the file is empty or a store whose schema this version knows. Writes nothing, since it may belong to another program. */
export function assertOurs(handle: SqliteHandle, path: string): void {
  assertGodwit(handle, path)
  assertKnown(handle, path)
}

/** Compares what the file says of its schema with the schema that it has. */
function assertKnown(handle: SqliteHandle, path: string): void {
  const version = userVersion(handle)
  const expected = version === 0 ? '' : MIGRATIONS[version - 1]?.fingerprint
  const found = fingerprintOf(handle)
  if (found === expected) return
  throw refusal(
    expected === undefined
      ? `${path} was written by a newer Godwit, or by a build from before the first release: expected schema ${MIGRATIONS.length} or older, got schema ${version} (fingerprint ${found || 'none'}). Open it with the Godwit that wrote it, restore a backup from before, or name another file to begin a new store. Nothing was changed.`
      : `${path} was written by a build from before the first release, or its tables were altered: expected fingerprint ${expected || 'none'} of schema ${version}, got ${found || 'none'}. Open it with the build that wrote it, restore a backup, or name another file to begin a new store. Nothing was changed.`,
  )
}

/** Throws if the file is another program's database; an empty file may become a store. */
export function assertGodwit(handle: SqliteHandle, path: string): void {
  const application = applicationId(handle)
  if (
    application === APPLICATION_ID ||
    (application === 0 && userVersion(handle) === 0 && fingerprintOf(handle) === '')
  )
    return
  throw refusal(`${path} is a SQLite database of another program. Name another file, or none to begin a new store.`)
}

/** Migrates the file to the present schema in one transaction. Throws, and changes nothing, if its schema is not known. */
export function migrate(handle: SqliteHandle, path: string): void {
  assertOurs(handle, path)
  // Avoids a write, so that a store on a full disk can still be read.
  if (userVersion(handle) === MIGRATIONS.length) return
  handle.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have migrated the file meanwhile.
    assertOurs(handle, path)
    for (const { sql } of MIGRATIONS.slice(userVersion(handle))) handle.exec(sql)
    handle.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`)
    assertKnown(handle, path)
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
