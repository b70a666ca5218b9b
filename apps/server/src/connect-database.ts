import { SyncError } from '@godwit/protocol'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'

/** The tables of a database whose names and columns are not known to the compiler. */
export interface AnyTables {
  readonly [table: string]: { readonly [column: string]: unknown }
}

/**
 * Connects to a database by its address: `postgres://…`, `mysql://…`, `mariadb://…` or `sqlite:FILE`. Connections are opened when they are needed;
 * `destroy()` ends them. Throws `value_not_allowed` for any other address.
 */
export const connectDatabase = <Tables = AnyTables>(url: string | undefined): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: dialectOf(url) })

function dialectOf(url = ''): Dialect {
  if (/^postgres(ql)?:\/\//.test(url)) return new PostgresDialect({ pool: () => postgresPool(url) })
  if (/^(mysql|mariadb):\/\//.test(url)) return new MysqlDialect({ pool: () => mysqlPool(url) })
  if (url.startsWith('sqlite:')) return new SqliteDialect({ database: () => sqliteFile(url.slice('sqlite:'.length)) })
  // The address may contain a password.
  throw new SyncError(
    'value_not_allowed',
    `DATABASE_URL: expected postgres://…, mysql://… or sqlite:FILE, got ${url === '' ? 'nothing' : 'another address'}.`,
  )
}

async function postgresPool(url: string) {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, application_name: 'godwit' })
  // A restart of the database ends connections, in use or not: the next statement fails with the same error.
  pool.on('error', ignore)
  pool.on('connect', client => void client.on('error', ignore))
  return pool
}

async function mysqlPool(url: string) {
  const { createPool } = await import('mysql2')
  const uri = url.replace(/^mariadb:/, 'mysql:')
  return createPool({ uri, supportBigNumbers: true, bigNumberStrings: true, dateStrings: true })
}

async function sqliteFile(path: string) {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('foreign_keys = on')
  return database
}

const ignore = (): void => {}
