import { sql } from 'kysely'
import { type Connection, inTransaction } from '../connection.js'
import type { ChangeLog, TableState, WatchedTable } from './change-log.js'
import { fingerprintOf } from './fingerprint.js'
import { SQLITE_OVER, sqlitePlan, sqliteRemoval, sqliteTriggers } from './sqlite-install.js'

/** The log in SQLite: tables beside those of the app. One connection writes at a time, so positions are in the order of commits. */
export const sqliteLog: ChangeLog = {
  names: {
    change: sql.id('godwit_change'),
    batch: sql.id('godwit_batch'),
    reader: sql.id('godwit_reader'),
    state: sql.id('godwit_state'),
    lock: sql.id('godwit_lock'),
  },
  now: sql`unixepoch()`,
  ago: seconds => sql`unixepoch() - ${sql.lit(seconds)}`,
  durable: [],
  // BEGIN IMMEDIATE has locked the file.
  lock: sql`SELECT 1`,
  async isInstalled(connection) {
    return (await connection.all(sql`SELECT 1 FROM sqlite_master WHERE name = 'godwit_state'`)).length > 0
  },
  recent: async () => 0,
  async stamp(connection, { batch, after, limit }) {
    const rows = await connection.all(sql<{ readonly pos: number }>`
      UPDATE godwit_change SET batch = ${BigInt(batch)} WHERE pos IN (
        SELECT pos FROM godwit_change WHERE batch IS NULL AND pos > ${after} ORDER BY pos LIMIT ${sql.lit(limit)}) RETURNING pos`)
    return rows.map(({ pos }) => Number(pos))
  },
  async skipped(connection) {
    const [row] = await connection.all(sql<{ readonly skipped: unknown }>`SELECT skipped FROM godwit_state`)
    return String(row?.skipped)
  },
  async accept(connection, lastBatch) {
    if (await isOver(connection)) {
      await connection.run(sql`DELETE FROM godwit_batch WHERE n <= ${lastBatch}`)
      await connection.run(sql`DELETE FROM godwit_change`)
    }
    await connection.run(sql`UPDATE godwit_state SET seen = unixepoch() WHERE seen < unixepoch() - 60`)
  },
  async renew(connection) {
    await connection.run(
      sql`UPDATE godwit_state SET seen = unixepoch() WHERE seen BETWEEN unixepoch() - 6 * 24 * 3600 AND unixepoch() - 60`,
    )
  },
  shrink: async connection => !(await isOver(connection)),
  async size() {
    return undefined
  },
  inspect,
  isBusy: error =>
    /SQLITE_BUSY|SQLITE_LOCKED|database is locked/.test(`${(error as { code?: unknown }).code} ${error}`),
  plan: sqlitePlan,
  removal: sqliteRemoval,
  execute: (connection, { statements }) =>
    inTransaction(connection, async () => {
      for (const statement of statements) await connection.run(sql.raw(statement))
    }),
  blockers: async () => [],
}

async function isOver(connection: Connection): Promise<boolean> {
  const [row] = await connection.all(sql<{ readonly over: unknown }>`SELECT ${sql.raw(SQLITE_OVER)} AS "over"`)
  return Number(row?.over) === 1
}

interface Definition {
  readonly name: string
  readonly type: string
  readonly sql: string
}

async function inspect(
  connection: Connection,
  tables: readonly WatchedTable[],
): Promise<ReadonlyMap<string, TableState>> {
  const states = new Map<string, TableState>()
  for (const watched of tables) {
    const found = await connection.all(sql<Definition>`
      SELECT name, type, sql FROM sqlite_master WHERE tbl_name = ${watched.table} AND (type = 'table' OR (type = 'trigger' AND name LIKE 'godwit\\_%' ESCAPE '\\'))
      ORDER BY type, name`)
    const names = new Set(found.map(({ name }) => name))
    const missing = (await sqliteTriggers(connection, watched)).filter(({ name }) => !names.has(name))
    states.set(watched.source, {
      fingerprint: fingerprintOf(found.map(({ sql: text }) => text).join('\n')),
      ...(found.some(({ type }) => type === 'table')
        ? missing.length > 0 && { problem: `expected the trigger ${missing[0]?.name}, got none` }
        : { problem: 'expected a table, got none of this name' }),
    })
  }
  return states
}
