import { sql } from 'kysely'
import { type Connection, type DatabaseKind, inTransaction } from './connection.js'
import type { Database } from './database.js'

const tableOf = (key: string, result: string, options = ''): string =>
  `CREATE TABLE IF NOT EXISTS godwit_done (id ${key} PRIMARY KEY, result ${result}, done_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)${options}`

/** Creates the table of finished keys. MySQL would compare text without regard to case and to spaces at its end. */
export const DONE_TABLE: { readonly [kind in DatabaseKind]: string } = {
  postgresql: tableOf('VARCHAR(512)', 'TEXT'),
  mysql: tableOf('VARBINARY(512)', 'LONGTEXT', ' ENGINE=InnoDB CHARACTER SET utf8mb4'),
  sqlite: tableOf('VARCHAR(512)', 'TEXT'),
}

/** Databases whose table is known to exist. */
const prepared = new WeakMap<Database, Promise<void>>()

/** Creates the table only where it is missing: the user of the database may not be allowed to. */
function prepare(database: Database): Promise<void> {
  const known = prepared.get(database)
  if (known) return known
  const create = (): Promise<void> =>
    database.connect(async connection => {
      const probe = connection.all(sql`SELECT id FROM godwit_done WHERE 1 = 0`)
      await probe.catch(() => connection.run(sql.raw(DONE_TABLE[database.kind])))
    })
  // Two processes that create it at the same time disturb each other.
  const made = create().catch(create)
  made.catch(() => prepared.delete(database))
  prepared.set(database, made)
  return made
}

/**
 * Calls `write` in a transaction with a row for the key, and stores its result there: a later call with the key returns the first result, and one at
 * the same time waits for it. Nothing is stored if `write` throws.
 */
export async function writeOnce<Result>(
  database: Database,
  key: string,
  write: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  await prepare(database)
  return database.connect(connection =>
    inTransaction(connection, async () => {
      const inserted = await connection.run(
        database.kind === 'mysql'
          ? sql`INSERT IGNORE INTO godwit_done (id) VALUES (${key})`
          : sql`INSERT INTO godwit_done (id) VALUES (${key}) ON CONFLICT DO NOTHING`,
      )
      if (inserted === 0) return storedResult<Result>(connection, key)
      const result = await write(connection)
      const text = JSON.stringify(result) ?? null
      await connection.run(sql`UPDATE godwit_done SET result = ${text} WHERE id = ${key}`)
      return result
    }),
  )
}

async function storedResult<Result>(connection: Connection, key: string): Promise<Result> {
  const [row] = await connection.all(
    sql<{ readonly result: string | null }>`SELECT result FROM godwit_done WHERE id = ${key}`,
  )
  return (row?.result == null ? undefined : JSON.parse(row.result)) as Result
}
