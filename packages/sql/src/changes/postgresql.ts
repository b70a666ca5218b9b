import { sql } from 'kysely'
import { type Connection, inTransaction } from '../connection.js'
import { sqlState } from '../sql-state.js'
import { type ChangeLog, READER_LIFE, type TableState, type WatchedTable } from './change-log.js'
import { postgresqlBlockers, postgresqlPlan, postgresqlRemoval, triggerNames } from './postgresql-install.js'

const OVER = sql`seen < now() - make_interval(secs => ${sql.lit(READER_LIFE)}) OR pg_relation_size('godwit.change') > budget`

/** The log in PostgreSQL 13 and later: the schema `godwit`. */
export const postgresqlLog: ChangeLog = {
  names: {
    change: sql.id('godwit', 'change'),
    batch: sql.id('godwit', 'batch'),
    reader: sql.id('godwit', 'reader'),
    state: sql.id('godwit', 'state'),
    lock: sql.id('godwit', 'lock'),
  },
  now: sql`clock_timestamp()`,
  ago: seconds => sql`clock_timestamp() - make_interval(secs => ${sql.lit(seconds)})`,
  durable: [
    sql`SELECT set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '2s', true),
      set_config('idle_in_transaction_session_timeout', '5s', true), set_config('statement_timeout', '20s', true)`,
  ],
  lock: sql`SELECT FROM godwit.lock FOR UPDATE`,
  async isInstalled(connection) {
    const [row] = await connection.all(
      sql<{ readonly found: string }>`SELECT (to_regclass('godwit.lock') IS NOT NULL)::text AS found`,
    )
    return row?.found === 'true'
  },
  async recent(connection) {
    const [row] = await connection.all(
      sql<{ readonly last: string }>`SELECT last_value::text AS last FROM godwit.change_pos_seq`,
    )
    return Number(row?.last ?? 0) - 1000
  },
  async stamp(connection, { batch, after, limit }) {
    const rows = await connection.all(sql<{ readonly pos: string }>`
      UPDATE godwit.change SET batch = ${batch}::bigint WHERE batch IS NULL AND pos = ANY (ARRAY(
        SELECT pos FROM godwit.change WHERE batch IS NULL AND pos > ${after}::bigint ORDER BY pos LIMIT ${limit}::bigint))
      RETURNING pos::text AS pos`)
    return rows.map(({ pos }) => Number(pos))
  },
  async skipped(connection) {
    const [row] = await connection.all(
      sql<{ readonly count: string }>`SELECT (last_value + is_called::int)::text AS count FROM godwit.skipped`,
    )
    return row?.count ?? ''
  },
  async accept(connection, lastBatch) {
    // Writers that skip hold this row until their end.
    await connection.all(sql`SELECT FROM godwit.state FOR UPDATE`)
    const over = await connection.all(sql`SELECT 1 FROM godwit.state WHERE ${OVER}`)
    if (over.length > 0) {
      // A cursor of another reader may not survive its rows.
      await connection.run(sql`DELETE FROM godwit.batch WHERE n <= ${lastBatch}`)
      await connection.run(sql`DELETE FROM godwit.change`)
    }
    await connection.run(sql`UPDATE godwit.state SET seen = clock_timestamp() WHERE seen < now() - interval '1 minute'`)
  },
  async renew(connection) {
    await connection.run(
      sql`UPDATE godwit.state SET seen = clock_timestamp() WHERE seen BETWEEN now() - interval '6 days' AND now() - interval '1 minute'`,
    )
  },
  async shrink(connection) {
    if (!(await isOver(connection))) return true
    await connection.run(sql`VACUUM godwit.change`)
    return !(await isOver(connection))
  },
  async size(connection) {
    const [row] = await connection.all(
      sql<{ readonly size: string }>`SELECT pg_relation_size('godwit.change')::text AS size`,
    )
    return Number(row?.size ?? 0)
  },
  inspect,
  isBusy: error => ['55P03', '40P01', '40001', '57014'].includes(sqlState(error) ?? ''),
  plan: postgresqlPlan,
  removal: postgresqlRemoval,
  execute: (connection, { statements }, patience) =>
    inTransaction(connection, async () => {
      await connection.run(sql`SELECT set_config('lock_timeout', ${`${patience}ms`}, true)`)
      for (const statement of statements) await connection.run(sql.raw(statement))
    }),
  blockers: postgresqlBlockers,
}

async function isOver(connection: Connection): Promise<boolean> {
  return (await connection.all(sql`SELECT 1 FROM godwit.state WHERE ${OVER}`)).length > 0
}

interface InspectedTable {
  readonly source: string
  readonly found: string
  readonly active: string
  readonly fingerprint: string
}

/**
 * The fingerprint changes when a trigger is dropped, disabled, enabled or replaced, when a column changes, even if only its values are rewritten, when
 * another table takes the name, and when a partition is attached or detached. VACUUM, ANALYZE and indexes leave it as it is.
 */
async function inspect(
  connection: Connection,
  tables: readonly WatchedTable[],
): Promise<ReadonlyMap<string, TableState>> {
  if (tables.length === 0) return new Map()
  const watched = tables.map(({ source, table }) => {
    const { row, truncate } = triggerNames(source)
    return sql`(${source}::text, ${table}::text, ${row}::name, ${truncate}::name)`
  })
  const rows = await connection.all(sql<InspectedTable>`
    WITH watched AS (
      SELECT source, to_regclass(name) AS rel, row_trigger, truncate_trigger
      FROM (VALUES ${sql.join(watched)}) AS v (source, name, row_trigger, truncate_trigger)
    ), part AS (
      SELECT source, rel AS id FROM watched UNION SELECT source, relid FROM watched, pg_partition_tree(rel)
    )
    SELECT w.source, (w.rel IS NOT NULL)::text AS found,
      (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = w.rel AND t.tgname IN (w.row_trigger, w.truncate_trigger) AND t.tgenabled = 'A')::text
        AS active,
      md5(concat(
        (SELECT string_agg(concat(t.oid, '.', t.xmin, t.tgenabled, t.tgfoid), ',' ORDER BY t.oid) FROM pg_trigger t JOIN part p ON p.id = t.tgrelid
          WHERE p.source = w.source AND t.tgname IN (w.row_trigger, w.truncate_trigger)), ';',
        (SELECT string_agg(concat(a.attrelid, '.', a.attnum, a.attname, a.atttypid, '.', a.atttypmod, a.attisdropped, a.xmin), ',' ORDER BY a.attnum)
          FROM pg_attribute a WHERE a.attrelid = w.rel AND a.attnum > 0), ';',
        (SELECT string_agg(p.id::oid::text, ',' ORDER BY p.id) FROM part p WHERE p.source = w.source))) AS fingerprint
    FROM watched w`)
  return new Map(rows.map(row => [row.source, stateOf(row)]))
}

function stateOf({ found, active, fingerprint }: InspectedTable): TableState {
  if (found !== 'true') return { fingerprint, problem: 'expected a table, got none of this name' }
  if (active !== '2') return { fingerprint, problem: 'expected two triggers that are ENABLE ALWAYS, got other ones' }
  return { fingerprint }
}
