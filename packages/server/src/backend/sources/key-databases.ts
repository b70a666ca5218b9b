/** A connection of `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(destroy?: boolean): void
}

export interface PostgresPool {
  readonly connect: { (): Promise<PostgresClient>; (callback: never): unknown }
}

/** A connection of `mysql2/promise`. */
export interface MysqlConnection {
  query(sql: string, values?: unknown): Promise<[unknown, unknown]>
  release(): void
  destroy(): void
}

export interface MysqlPool {
  getConnection(): Promise<MysqlConnection>
}

/** The statements of one kind of database. */
interface Statements {
  /** Creates the table where it is missing. */
  readonly table: string
  /** Changes no row if the key is there, after the end of a transaction that inserts it. */
  readonly insert: string
  readonly update: string
  readonly select: string
}

const tableOf = (id: string, result: string): string =>
  `CREATE TABLE IF NOT EXISTS godwit_keys (id ${id} PRIMARY KEY, result ${result}, done_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)`

const statements = (table: string, insert: string, first: string, second: string): Statements => ({
  table,
  insert,
  update: `UPDATE godwit_keys SET result = ${first} WHERE id = ${second}`,
  select: `SELECT result FROM godwit_keys WHERE id = ${first}`,
})

const TEXT_TABLE = tableOf('VARCHAR(128)', 'TEXT')
const POSTGRES = statements(TEXT_TABLE, 'INSERT INTO godwit_keys (id) VALUES ($1) ON CONFLICT DO NOTHING', '$1', '$2')
// Text would be compared without regard to case, accents and spaces at its end, and cut at 64 KB.
const MYSQL_TABLE = `${tableOf('VARBINARY(512)', 'LONGTEXT')} ENGINE=InnoDB CHARACTER SET utf8mb4`
const MYSQL = statements(MYSQL_TABLE, 'INSERT IGNORE INTO godwit_keys (id) VALUES (?)', '?', '?')
export const SQLITE = statements(TEXT_TABLE, 'INSERT INTO godwit_keys (id) VALUES (?) ON CONFLICT DO NOTHING', '?', '?')

/** A connection of either pool. */
export interface Connection {
  /** As the pool's library made it. */
  readonly handle: unknown
  run(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[]; readonly changed: number }>
  /** Gives it back, or ends it where it may still be in a transaction. */
  release(isBroken: boolean): void
}

export interface Pool {
  readonly database: object
  readonly statements: Statements
  connect(): Promise<Connection>
}

export const postgres = (database: PostgresPool): Pool => ({
  database,
  statements: POSTGRES,
  async connect() {
    const client = await database.connect()
    // The pool listens only to idle connections; the next statement fails with the same error.
    client.on('error', ignore)
    return {
      handle: client,
      async run(sql, values) {
        const { rows, rowCount } = await client.query(sql, values)
        return { rows, changed: rowCount ?? 0 }
      },
      release(isBroken) {
        client.release(isBroken)
        client.off('error', ignore)
      },
    }
  },
})

const ignore = (): void => {}

export const mysql = (database: MysqlPool): Pool => ({
  database,
  statements: MYSQL,
  async connect() {
    const connection = await database.getConnection()
    return {
      handle: connection,
      async run(sql, values) {
        const [result] = await connection.query(sql, values)
        if (Array.isArray(result)) return { rows: result, changed: 0 }
        return { rows: [], changed: (result as { readonly affectedRows: number }).affectedRows }
      },
      release: isBroken => (isBroken ? connection.destroy() : connection.release()),
    }
  },
})
