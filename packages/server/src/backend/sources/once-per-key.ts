import {
  type Connection,
  type MysqlPool,
  mysql,
  type Pool,
  type PostgresPool,
  postgres,
  SQLITE,
} from './key-databases.js'

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
export type KeyTransaction<Database> = Database extends { getConnection(): Promise<infer Connection> }
  ? Connection
  : Database extends { readonly connect: { (): Promise<infer Client>; (callback: never): unknown } }
    ? Client
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
  if ('getConnection' in database) return onceInPool(mysql(database), key, given)
  if ('connect' in database) return onceInPool(postgres(database), key, given)
  return onceInSqlite(database, key, given)
}

async function onceInPool<Result>(
  pool: Pool,
  key: string,
  write: (transaction: unknown) => Result | Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  let isBroken = true
  try {
    await withTable(pool, connection)
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
  { insert, update, select }: Pool['statements'],
  key: string,
  write: (transaction: unknown) => Result | Promise<Result>,
): Promise<Result> {
  const { changed } = await run(insert, [key])
  if (changed === 0) return resultIn<Result>((await run(select, [key])).rows[0])
  const result = toText(await write(handle))
  await run(update, [result, key])
  return resultIn<Result>({ result })
}

const PROBE = 'SELECT id FROM godwit_keys WHERE 1 = 0'

/** Databases that have the table. */
const prepared = new WeakMap<object, Promise<void>>()

/** Creates the table only where it is missing, since the user of the database may not be allowed to. */
function withTable({ database, statements }: Pool, { run }: Connection): Promise<void> {
  const create = async (): Promise<void> => {
    await run(PROBE).catch(() => run(statements.table))
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
  database.prepare(SQLITE.table).run()
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
