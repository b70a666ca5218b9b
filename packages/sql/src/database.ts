import { SyncError } from '@godwit/protocol'
import type { Kysely } from 'kysely'
import { type Connection, connectionOf, type DatabaseKind } from './connection.js'
import { mysqlColumns } from './dialects/mysql.js'
import { postgresqlColumns } from './dialects/postgresql.js'
import { sqliteColumns } from './dialects/sqlite.js'
import type { ColumnDialect } from './table.js'

/** A database by its Kysely instance. */
export interface Database {
  readonly kind: DatabaseKind
  readonly columns: ColumnDialect
  /** Calls `work` with a connection, which returns to the pool afterwards. */
  connect<T>(work: (connection: Connection) => Promise<T>): Promise<T>
}

const COLUMNS = { postgresql: postgresqlColumns, mysql: mysqlColumns, sqlite: sqliteColumns }

/** Wraps a Kysely instance. Throws `value_not_allowed` for a dialect other than those of PostgreSQL, MySQL and SQLite. */
export function openDatabase<DB>(kysely: Kysely<DB>): Database {
  const kind = kindOf(kysely)
  // Plugins change names and values of results, which are read here as text.
  const plain = kysely.withoutPlugins()
  return {
    kind,
    columns: COLUMNS[kind],
    connect: work => plain.connection().execute(connection => work(connectionOf(kind, connection))),
  }
}

/** By the name of the adapter, so that an app may have another copy of Kysely. */
function kindOf<DB>(kysely: Kysely<DB>): DatabaseKind {
  const { name } = kysely.getExecutor().adapter.constructor
  if (/postgres|pglite/i.test(name)) return 'postgresql'
  if (/mysql/i.test(name)) return 'mysql'
  if (/sqlite/i.test(name)) return 'sqlite'
  throw new SyncError(
    'value_not_allowed',
    `db: expected a Kysely of PostgreSQL, MySQL or SQLite, got one with ${name}. Use the dialect of one of these.`,
  )
}
