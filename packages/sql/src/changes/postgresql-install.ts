import { sql } from 'kysely'
import type { Connection } from '../connection.js'
import { type InstallStep, literal, type PlanOptions, READER_LIFE, slugOf, type WatchedTable } from './change-log.js'

/** The names of the triggers of a source. */
export const triggerNames = (source: string): { readonly row: string; readonly truncate: string } => ({
  row: `godwit_row_${slugOf(source)}`,
  truncate: `godwit_truncate_${slugOf(source)}`,
})

const quoted = (...parts: readonly string[]): string => parts.map(part => `"${part.replaceAll('"', '""')}"`).join('.')
const tableOf = (table: string): string => quoted(...table.split('.'))
const functionOf = (source: string): string => quoted('godwit', `log_${slugOf(source)}`)

const base = ({ budget }: PlanOptions): readonly string[] => [
  'CREATE SCHEMA IF NOT EXISTS godwit',
  `CREATE TABLE IF NOT EXISTS godwit.change (pos bigint GENERATED ALWAYS AS IDENTITY, src text NOT NULL, kind "char" NOT NULL DEFAULT 'C',
  old_key text, new_key text, old_owner text, new_owner text, batch bigint)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)`,
  'CREATE UNIQUE INDEX IF NOT EXISTS change_unstamped ON godwit.change (pos) WHERE batch IS NULL',
  'CREATE INDEX IF NOT EXISTS change_batch ON godwit.change (batch) WHERE batch IS NOT NULL',
  'CREATE TABLE IF NOT EXISTS godwit.batch (n bigint PRIMARY KEY, mark text NOT NULL)',
  'CREATE TABLE IF NOT EXISTS godwit.reader (name text PRIMARY KEY, n bigint NOT NULL, seen timestamptz NOT NULL)',
  'CREATE TABLE IF NOT EXISTS godwit.state (one boolean PRIMARY KEY DEFAULT true, seen timestamptz NOT NULL, budget bigint NOT NULL)',
  'CREATE TABLE IF NOT EXISTS godwit.lock (one boolean PRIMARY KEY DEFAULT true)',
  'CREATE SEQUENCE IF NOT EXISTS godwit.skipped',
  `INSERT INTO godwit.state (seen, budget) VALUES (now(), ${budget}) ON CONFLICT (one) DO UPDATE SET budget = excluded.budget`,
  'INSERT INTO godwit.lock DEFAULT VALUES ON CONFLICT DO NOTHING',
]

const OVER = `seen < now() - interval '${READER_LIFE} seconds' OR pg_relation_size('godwit.change') > budget`

/** The body of the trigger function. Over the budget it writes nothing and counts, so that a cursor can tell; a cursor waits for the row that it locks. */
function bodyOf({ source, key, owner }: WatchedTable): string {
  const name = literal(source)
  const [oldKey, newKey] = [`OLD.${quoted(key)}::text`, `NEW.${quoted(key)}::text`]
  const [oldOwner, newOwner] =
    owner === undefined ? ['NULL', 'NULL'] : [`OLD.${quoted(owner)}::text`, `NEW.${quoted(owner)}::text`]
  return `
BEGIN
  IF EXISTS (SELECT FROM godwit.state WHERE ${OVER}) THEN
    PERFORM FROM godwit.state WHERE ${OVER} FOR SHARE;
    IF FOUND THEN PERFORM nextval('godwit.skipped'); RETURN NULL; END IF;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO godwit.change (src, new_key, new_owner) VALUES (${name}, ${newKey}, ${newOwner});
  ELSIF TG_OP = 'UPDATE' THEN
    IF OLD *= NEW THEN RETURN NULL; END IF;
    INSERT INTO godwit.change (src, old_key, new_key, old_owner, new_owner) VALUES (${name}, ${oldKey}, ${newKey}, ${oldOwner}, ${newOwner});
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO godwit.change (src, old_key, old_owner) VALUES (${name}, ${oldKey}, ${oldOwner});
  ELSE
    INSERT INTO godwit.change (src, kind) VALUES (${name}, 'T');
  END IF;
  RETURN NULL;
END `
}

/** Returns the steps for what is not installed as it should be: an installation that is whole is left as it is, with its fingerprint. */
export async function postgresqlPlan(
  connection: Connection,
  tables: readonly WatchedTable[],
  options: PlanOptions,
): Promise<readonly InstallStep[]> {
  const steps: InstallStep[] = [{ statements: base(options) }]
  for (const table of tables) {
    const parts = await partsOf(connection, table)
    if (!isWhole(table, parts)) steps.push({ table: table.table, statements: statementsOf(table, parts) })
  }
  return steps
}

interface Part {
  /** The name with its schema, quoted. */
  readonly name: string
  readonly is_root: string
  readonly is_leaf: string
  readonly triggers: string
  readonly body: string | null
}

/** The table and its partitions, with the triggers that each has. */
const partsOf = (connection: Connection, { table, source }: WatchedTable): Promise<readonly Part[]> => {
  const { row, truncate } = triggerNames(source)
  return connection.all(sql<Part>`
    SELECT c.oid::regclass::text AS name, (c.oid = root.id)::text AS is_root, (c.relkind = 'r')::text AS is_leaf,
      (SELECT coalesce(string_agg(t.tgname, ' ' ORDER BY t.tgname), '') FROM pg_trigger t
        WHERE t.tgrelid = c.oid AND t.tgname IN (${row}, ${truncate}) AND t.tgenabled = 'A') AS triggers,
      (SELECT p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = 'godwit' AND p.proname = ${`log_${slugOf(source)}`}) AS body
    FROM (SELECT to_regclass(${tableOf(table)})::oid AS id) root
    JOIN pg_class c ON c.oid = root.id OR c.oid IN (SELECT relid FROM pg_partition_tree(root.id::regclass))
    ORDER BY c.oid = root.id DESC, c.oid`)
}

const isWhole = (table: WatchedTable, parts: readonly Part[]): boolean => {
  const { row, truncate } = triggerNames(table.source)
  return parts.length > 0 && parts.every(part => part.body === bodyOf(table) && part.triggers === `${row} ${truncate}`)
}

/** The lock waits for all who wrote without a trigger, so a cursor taken after the commit misses nothing. */
function statementsOf(table: WatchedTable, parts: readonly Part[]): readonly string[] {
  const { row, truncate } = triggerNames(table.source)
  const [root, execute] = [tableOf(table.table), `EXECUTE FUNCTION ${functionOf(table.source)}()`]
  const truncated = parts.map(({ name }) => name)
  return [
    `CREATE OR REPLACE FUNCTION ${functionOf(table.source)}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $godwit$${bodyOf(table)}$godwit$`,
    `LOCK TABLE ${root} IN SHARE ROW EXCLUSIVE MODE`,
    `DROP TRIGGER IF EXISTS ${row} ON ${root}`,
    `CREATE TRIGGER ${row} AFTER INSERT OR UPDATE OR DELETE ON ${root} FOR EACH ROW ${execute}`,
    `ALTER TABLE ${root} ENABLE ALWAYS TRIGGER ${row}`,
    ...(truncated.length > 0 ? truncated : [root]).flatMap(name => [
      `DROP TRIGGER IF EXISTS ${truncate} ON ${name}`,
      `CREATE TRIGGER ${truncate} AFTER TRUNCATE ON ${name} FOR EACH STATEMENT ${execute}`,
      `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER ${truncate}`,
    ]),
  ]
}

/** Triggers first, table by table, then the log. */
export async function postgresqlRemoval(connection: Connection): Promise<readonly InstallStep[]> {
  const rows = await connection.all(sql<{ readonly name: string; readonly trigger: string }>`
    SELECT t.tgrelid::regclass::text AS name, t.tgname AS trigger FROM pg_trigger t
    WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgname LIKE 'godwit\\_%' ORDER BY 1, 2`)
  return [
    ...rows.map(({ name, trigger }) => ({ table: name, statements: [`DROP TRIGGER ${quoted(trigger)} ON ${name}`] })),
    { statements: ['DROP SCHEMA IF EXISTS godwit CASCADE'] },
  ]
}

interface Holder {
  readonly who: string
}

/** Sessions and prepared transactions that hold a lock on the table. */
export async function postgresqlBlockers(connection: Connection, table: string): Promise<readonly string[]> {
  const rows = await connection.all(sql<Holder>`
    SELECT DISTINCT coalesce(
      format('process %s of %s, in a transaction for %s s (%s): %s', a.pid, a.usename, round(extract(epoch FROM now() - a.xact_start)), a.state,
        left(a.query, 80)),
      format('prepared transaction %s', (SELECT string_agg(gid, ', ') FROM pg_prepared_xacts WHERE database = current_database()))) AS who
    FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.relation = to_regclass(${tableOf(table)}) AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
      AND l.mode IN ('RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`)
  return rows.map(({ who }) => who)
}
