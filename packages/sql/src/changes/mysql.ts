import { sql } from 'kysely'
import type { Connection } from '../connection.js'
import type { ChangeLog, InstallStep, TableState, WatchedTable } from './change-log.js'
import { fingerprintOf } from './fingerprint.js'
import { allowances, mysqlPlan, mysqlRemoval, rowTriggers } from './mysql-install.js'

/** Errors by which MySQL and MariaDB say that a lock was taken. */
const BUSY = new Set([1205, 1213, 3572])

/** The log in MySQL 8 and MariaDB 10.6 and later: tables beside those of the app. */
export const mysqlLog: ChangeLog = {
  names: {
    change: sql.id('godwit_change'),
    batch: sql.id('godwit_batch'),
    reader: sql.id('godwit_reader'),
    state: sql.id('godwit_state'),
    lock: sql.id('godwit_lock'),
  },
  now: sql`unix_timestamp()`,
  ago: seconds => sql`unix_timestamp() - ${sql.lit(seconds)}`,
  durable: [],
  // The time for which a lock is waited for belongs to the session, which a pool shares: this one does not wait.
  lock: sql`SELECT one FROM godwit_lock FOR UPDATE NOWAIT`,
  async isInstalled(connection) {
    const rows = await connection.all(
      sql`SELECT 1 FROM information_schema.tables WHERE table_schema = database() AND table_name = 'godwit_lock'`,
    )
    return rows.length > 0
  },
  recent: async () => 0,
  async stamp(connection, { batch, after, limit }) {
    // An update by the stamp itself would wait for every open transaction that writes.
    const rows = await connection.all(sql<{ readonly pos: unknown }>`
      SELECT pos FROM godwit_change WHERE batch IS NULL AND pos > ${after} ORDER BY pos LIMIT ${sql.lit(limit)}`)
    const positions = rows.map(({ pos }) => Number(pos))
    if (positions.length > 0)
      await connection.run(sql`UPDATE godwit_change SET batch = ${batch} WHERE pos IN (${sql.join(positions)})`)
    return positions
  },
  async skipped(connection) {
    const [row] = await connection.all(sql<{ readonly count: unknown }>`SELECT sum(count) AS count FROM godwit_skipped`)
    return String(Number(row?.count ?? 0))
  },
  async accept(connection) {
    // This row shows how far positions are: skipping writers raise them and leave no row.
    await connection.run(sql`INSERT INTO godwit_change (src, kind) VALUES ('', 'B')`)
    await allow(connection)
  },
  async renew(connection) {
    const [row] = await connection.all(sql<{ readonly is_due: unknown; readonly is_allowed: unknown }>`
      SELECT seen < unix_timestamp() - 60 AS is_due, EXISTS (SELECT 1 FROM godwit_day WHERE day = to_days(utc_date())) AS is_allowed FROM godwit_state`)
    if (Number(row?.is_due) === 0 || Number(row?.is_allowed) === 0) return
    await connection.run(sql`UPDATE godwit_state SET seen = unix_timestamp()`)
    await allow(connection)
  },
  // A new position makes room, whatever the log holds.
  shrink: async () => true,
  async size() {
    return undefined
  },
  inspect,
  isBusy: error => BUSY.has((error as { readonly errno?: number }).errno ?? 0),
  plan: mysqlPlan,
  removal: mysqlRemoval,
  async execute(connection, { statements }: InstallStep, patience) {
    await connection.run(sql.raw(`SET SESSION lock_wait_timeout = ${Math.max(1, Math.round(patience / 1000))}`))
    try {
      for (const statement of statements) await connection.run(sql.raw(statement))
    } finally {
      await connection.run(sql.raw('SET SESSION lock_wait_timeout = DEFAULT')).catch(() => {})
    }
  },
  async blockers(connection) {
    const rows = await connection
      .all(sql<{ readonly who: string }>`
        SELECT concat('connection ', trx_mysql_thread_id, ', in a transaction since ', trx_started) AS who
        FROM information_schema.innodb_trx WHERE trx_mysql_thread_id <> connection_id()`)
      .catch(() => [])
    return rows.map(({ who }) => who)
  },
}

async function allow(connection: Connection): Promise<void> {
  const [row] = await connection.all(sql<{ readonly budget: unknown }>`SELECT budget FROM godwit_state`)
  for (const statement of allowances(Number(row?.budget ?? 0))) await connection.run(sql.raw(statement))
}

interface InspectedColumn {
  readonly name: string
  readonly type: string
}

async function inspect(
  connection: Connection,
  tables: readonly WatchedTable[],
): Promise<ReadonlyMap<string, TableState>> {
  const states = new Map<string, TableState>()
  const ids = await tableIds(connection)
  const triggers = await connection.all(sql<{
    readonly name: string
    readonly table: string
    readonly body: string
    readonly made: string
  }>`
    SELECT trigger_name AS name, event_object_table AS \`table\`, md5(action_statement) AS body, CAST(created AS CHAR) AS made
    FROM information_schema.triggers WHERE trigger_schema = database() AND trigger_name LIKE 'godwit\\_%' ORDER BY trigger_name`)
  for (const watched of tables) {
    const columns = await connection.all(sql<InspectedColumn>`
      SELECT column_name AS name, column_type AS type FROM information_schema.columns
      WHERE table_schema = database() AND table_name = ${watched.table} ORDER BY ordinal_position`)
    const expected = rowTriggers(watched).map(({ name }) => name)
    const found = triggers.filter(({ name, table }) => table === watched.table && expected.includes(name))
    const fingerprint = JSON.stringify([columns, found, ids.get(watched.table) ?? null])
    states.set(watched.source, {
      fingerprint: fingerprintOf(fingerprint),
      ...(columns.length === 0
        ? { problem: 'expected a table, got none of this name' }
        : found.length < expected.length && { problem: `expected ${expected.length} triggers, got ${found.length}` }),
    })
  }
  return states
}

/** Numbers of tables, which TRUNCATE changes: it fires no trigger. Empty without the right PROCESS. */
async function tableIds(connection: Connection): Promise<ReadonlyMap<string, string>> {
  for (const view of ['innodb_sys_tables', 'innodb_tables']) {
    const rows = await connection
      .all(
        sql<{
          readonly name: string
          readonly id: unknown
        }>`SELECT substring_index(name, '/', -1) AS name, table_id AS id
          FROM ${sql.id('information_schema', view)} WHERE name LIKE concat(replace(replace(database(), '_', '\\_'), '%', '\\%'), '/%')`,
      )
      .catch(() => undefined)
    if (rows !== undefined) return new Map(rows.map(({ name, id }) => [name, String(id)]))
  }
  return new Map()
}
