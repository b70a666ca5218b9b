import { SyncError } from '@godwit/protocol'

/** Converts SQLite's error to a SyncError. */
export function databaseError(cause: unknown, sql: string): SyncError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SyncError('database_failed', `The local database failed: ${message}.`, { cause, details: { sql } })
}

/** Yields rows one at a time. An error in a later row is the same as in the first. */
export function* each<Row>(sql: string, rows: () => Iterable<Row>): Generator<Row, void, undefined> {
  try {
    yield* rows()
  } catch (cause) {
    throw databaseError(cause, sql)
  }
}

/** Runs a statement; an error becomes a `database_failed` that quotes the statement. */
export function withStatementErrors<T>(sql: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw databaseError(cause, sql)
  }
}
