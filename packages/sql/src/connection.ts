import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** The kinds of databases that tables may be in. MariaDB counts as `mysql`. */
export type DatabaseKind = 'postgresql' | 'mysql' | 'sqlite'

/** One connection of a database, which nothing else uses meanwhile. */
export interface Connection {
  readonly kind: DatabaseKind
  /** Returns the rows of a statement. */
  all<Row>(statement: RawBuilder<Row>): Promise<readonly Row[]>
  /** Executes a statement, and returns the number of rows that it changed. */
  run(statement: RawBuilder<unknown>): Promise<number>
}

/** Wraps a connection of Kysely. */
export const connectionOf = (kind: DatabaseKind, provider: QueryExecutorProvider): Connection => ({
  kind,
  async all(statement) {
    return (await statement.execute(provider)).rows
  },
  async run(statement) {
    return Number((await statement.execute(provider)).numAffectedRows ?? 0)
  },
})

/** Begins a transaction that reads what was committed before each statement. */
const BEGIN: { readonly [kind in DatabaseKind]: readonly RawBuilder<unknown>[] } = {
  postgresql: [sql`BEGIN ISOLATION LEVEL READ COMMITTED`],
  // For the next transaction only, so that the connection returns to its pool as it was.
  mysql: [sql`SET TRANSACTION ISOLATION LEVEL READ COMMITTED`, sql`BEGIN`],
  sqlite: [sql`BEGIN IMMEDIATE`],
}

/** Calls `work` in a transaction, which is rolled back if it throws. */
export async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  for (const statement of BEGIN[connection.kind]) await connection.run(statement)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // A connection that ended has rolled back.
    await connection.run(sql`ROLLBACK`).catch(() => {})
    throw error
  }
  await connection.run(sql`COMMIT`)
  return result
}
