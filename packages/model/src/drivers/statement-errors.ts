import { SyncError } from '@godwit/protocol'

/** What SQLite says, as the one error that the SDK throws. */
export function databaseError(cause: unknown, sql: string): SyncError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SyncError('database_failed', `The local database failed: ${message}.`, { cause, details: { sql } })
}

/** Rows one by one. An error of a later row is the same error as one of the first. */
export function* each<Row>(sql: string, rows: () => Iterable<Row>): Generator<Row, void, undefined> {
  try {
    yield* rows()
  } catch (cause) {
    throw databaseError(cause, sql)
  }
}

/** Runs a statement; what it throws becomes a `database_failed` that names the statement. */
export function withStatementErrors<T>(sql: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw databaseError(cause, sql)
  }
}
