import type { SqliteHandle, SqliteStatement } from './sqlite-handle.js'

/** A handle that prepares each statement once. */
export class Connection {
  readonly handle: SqliteHandle
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(handle: SqliteHandle) {
    this.handle = handle
  }

  /** `Row`: what the SQL selects. */
  statement<Row = unknown>(sql: string): SqliteStatement<Row> {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.handle.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement as SqliteStatement<Row>
  }

  run(sql: string): void {
    this.statement(sql).run()
  }
}
