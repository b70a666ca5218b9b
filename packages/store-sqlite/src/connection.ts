import type { SqliteHandle, SqliteStatement } from './sqlite-handle.js'

/**
 * Hides parameters from the planner with a unary plus. Otherwise SQLite prepares a statement again whenever a parameter that may affect the plan is
 * rebound, which takes many times as long as a short read.
 */
const hideParameters = (sql: string): string => sql.replace(/'[^']*'|"[^"]*"|\?/g, part => (part === '?' ? '+?' : part))

/** A handle that caches prepared statements, with the store's clock. */
export class SqliteConnection {
  readonly handle: SqliteHandle
  readonly now: () => number
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(handle: SqliteHandle, now: () => number = Date.now) {
    this.handle = handle
    this.now = now
  }

  /** Returns the prepared statement. `Row` is the type of its result rows. */
  statement<Row = unknown>(sql: string): SqliteStatement<Row> {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.handle.prepare(hideParameters(sql))
      this.#statements.set(sql, statement)
    }
    return statement as SqliteStatement<Row>
  }

  run(sql: string): void {
    this.statement(sql).run()
  }
}
