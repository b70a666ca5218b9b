import type { SqliteHandle, SqliteStatement } from './sqlite-handle.js'

/**
 * Unary plus hides parameters from the planner. Otherwise SQLite plans a statement again whenever another value is bound to a parameter
 * that might change the plan, which takes many times as long as a short read.
 */
const hideParameters = (sql: string): string => sql.replace(/'[^']*'|"[^"]*"|\?/g, part => (part === '?' ? '+?' : part))

/** A handle that prepares each statement once, and the clock of its store. */
export class SqliteConnection {
  readonly handle: SqliteHandle
  readonly now: () => number
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(handle: SqliteHandle, now: () => number = Date.now) {
    this.handle = handle
    this.now = now
  }

  /** `Row`: what the SQL selects. */
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
