/** A connection of `pg`. */
interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(destroy?: boolean): void
}

interface PostgresPool {
  readonly connect: { (): Promise<PostgresClient>; (callback: never): unknown }
}

/** A connection of `mysql2/promise`. */
interface MysqlConnection {
  query(sql: string, values?: unknown): Promise<[unknown, unknown]>
  release(): void
  destroy(): void
}

interface MysqlPool {
  getConnection(): Promise<MysqlConnection>
}

/** A database of `better-sqlite3`. */
interface SqliteDatabase {
  prepare(sql: string): {
    run(...values: unknown[]): { readonly changes: number | bigint }
    get(...values: unknown[]): unknown
  }
}

/** What `oncePerKey` works on: a `Pool` of `pg` or of `mysql2/promise`, or a database of `better-sqlite3`. */
export type KeyDatabase = PostgresPool | MysqlPool | SqliteDatabase

/** What the write gets: the connection that has the transaction. */
export type KeyTransaction<Database> = Database extends {
  readonly connect: { (): Promise<infer Client>; (callback: never): unknown }
}
  ? Client
  : Database extends { getConnection(): Promise<infer Connection> }
    ? Connection
    : Database

/**
 * Writes once for each key, however often it is called: the key and the result are stored in the table `godwit_keys`, which is created where it is
 * missing, in the transaction that the write gets; `better-sqlite3` writes synchronously. Resolves to the result of the first call, as JSON.
 *
 * @example
 * ```ts
 * create: (order, { idempotencyKey }) =>
 *   oncePerKey(pool, idempotencyKey, async client => {
 *     const { rows } = await client.query('INSERT INTO orders (product) VALUES ($1) RETURNING id', [order.product])
 *     return { id: rows[0].id }
 *   }),
 * ```
 */
export async function oncePerKey<Database extends KeyDatabase, Result>(
  database: Database,
  key: string,
  write: (transaction: KeyTransaction<Database>) => Result | Promise<Result>,
): Promise<Result> {
  // The type of the parameter says which transaction belongs to the database.
  const given = write as (transaction: unknown) => Result | Promise<Result>
  if ('connect' in database) return onceInPool(postgres(database), key, given)
  if ('getConnection' in database) return onceInPool(mysql(database), key, given)
  return onceInSqlite(database, key, given)
}

const TABLE =
  'CREATE TABLE IF NOT EXISTS godwit_keys (id VARCHAR(128) PRIMARY KEY, result TEXT, done_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)'
const PROBE = 'SELECT id FROM godwit_keys WHERE 1 = 0'

interface Statements {
  /** Changes no row if the key is there, after the end of a transaction that inserts it. */
  readonly insert: string
  readonly update: string
  readonly select: string
}

const statements = (insert: string, first: string, second: string): Statements => ({
  insert,
  update: `UPDATE godwit_keys SET result = ${first} WHERE id = ${second}`,
  select: `SELECT result FROM godwit_keys WHERE id = ${first}`,
})
const POSTGRES = statements('INSERT INTO godwit_keys (id) VALUES ($1) ON CONFLICT DO NOTHING', '$1', '$2')
const MYSQL = statements('INSERT IGNORE INTO godwit_keys (id) VALUES (?)', '?', '?')
const SQLITE = statements('INSERT INTO godwit_keys (id) VALUES (?) ON CONFLICT DO NOTHING', '?', '?')

/** A connection of either pool. */
interface Connection {
  /** As the pool's library made it. */
  readonly handle: unknown
  run(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[]; readonly changed: number }>
  /** Gives it back, or ends it where it may still be in a transaction. */
  release(isBroken: boolean): void
}

interface Pool {
  readonly database: object
  readonly statements: Statements
  connect(): Promise<Connection>
}

const postgres = (database: PostgresPool): Pool => ({
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

const mysql = (database: MysqlPool): Pool => ({
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

async function onceInPool<Result>(
  pool: Pool,
  key: string,
  write: (transaction: unknown) => Result | Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  let isBroken = true
  try {
    await withTable(pool.database, connection)
    await connection.run('BEGIN')
    try {
      const result = await onceInTransaction(connection, pool.statements, key, write)
      await connection.run('COMMIT')
      isBroken = false
      return result
    } catch (error) {
      await connection.run('ROLLBACK').then(
        () => {
          isBroken = false
        },
        () => {},
      )
      throw error
    }
  } finally {
    connection.release(isBroken)
  }
}

async function onceInTransaction<Result>(
  { handle, run }: Connection,
  { insert, update, select }: Statements,
  key: string,
  write: (transaction: unknown) => Result | Promise<Result>,
): Promise<Result> {
  const { changed } = await run(insert, [key])
  if (changed === 0) return resultIn<Result>((await run(select, [key])).rows[0])
  const result = toText(await write(handle))
  await run(update, [result, key])
  return resultIn<Result>({ result })
}

/** Databases that have the table. */
const prepared = new WeakMap<object, Promise<void>>()

/** Creates the table only where it is missing, since the user of the database may not be allowed to. */
function withTable(database: object, { run }: Connection): Promise<void> {
  const create = async (): Promise<void> => {
    await run(PROBE).catch(() => run(TABLE))
  }
  const known = prepared.get(database)
  if (known) return known
  // Two processes that create it at once disturb each other.
  const made = create().catch(create)
  made.catch(() => prepared.delete(database))
  prepared.set(database, made)
  return made
}

function onceInSqlite<Result>(
  database: SqliteDatabase,
  key: string,
  write: (transaction: unknown) => Result | Promise<Result>,
): Result {
  database.prepare(TABLE).run()
  database.prepare('BEGIN IMMEDIATE').run()
  try {
    const result = onceInSqliteTransaction(database, key, write)
    database.prepare('COMMIT').run()
    return result
  } catch (error) {
    database.prepare('ROLLBACK').run()
    throw error
  }
}

function onceInSqliteTransaction<Result>(
  database: SqliteDatabase,
  key: string,
  write: (transaction: unknown) => Result | Promise<Result>,
): Result {
  if (Number(database.prepare(SQLITE.insert).run(key).changes) === 0)
    return resultIn<Result>(database.prepare(SQLITE.select).get(key))
  const written = write(database)
  if (written instanceof Promise) {
    written.catch(() => {})
    throw new TypeError(
      'oncePerKey: expected a result, got a promise: better-sqlite3 writes synchronously, and others would write in the same transaction.',
    )
  }
  const result = toText(written)
  database.prepare(SQLITE.update).run(result, key)
  return resultIn<Result>({ result })
}

const toText = (result: unknown): string | null =>
  JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? null

/** The result as a repeated call gets it, from a row of the table. */
function resultIn<Result>(row: unknown): Result {
  const { result } = row as { readonly result: string | null }
  return (result === null ? undefined : JSON.parse(result)) as Result
}
