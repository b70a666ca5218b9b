import { SyncError } from '@godwit/protocol'

/** Converts an error of SQLite to a `database_failed` error that quotes the statement. */
export function databaseError(cause: unknown, sql: string): SyncError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SyncError('database_failed', `The local database failed: ${message}.`, { cause, details: { sql } })
}

/** Yields rows one at a time, and converts an error in any row. */
export function* each<Row>(sql: string, rows: () => Iterable<Row>): Generator<Row, void, undefined> {
  try {
    yield* rows()
  } catch (cause) {
    throw databaseError(cause, sql)
  }
}

/** Runs a statement, and converts its error to a `database_failed` error that quotes the statement. */
export function withStatementErrors<T>(sql: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw databaseError(cause, sql)
  }
}
