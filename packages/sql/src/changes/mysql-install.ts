import { sql } from 'kysely'
import type { Connection } from '../connection.js'
import { type InstallStep, literal, type PlanOptions, slugOf, type WatchedTable } from './change-log.js'
import { cascadesOf } from './mysql-cascades.js'

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Positions of a block. */
const BLOCK = 100_000
/** Days for which triggers write without hearing of a reader. */
const DAYS = 7

const numbers = (count: number): string =>
  Array.from({ length: count + 1 }, (_, at) => `SELECT ${at} AS i`).join(' UNION ALL ')

/** Lets triggers write for a week, and as many changes as the budget behind the last one that is committed. */
export const allowances = (budget: number): readonly string[] => [
  `INSERT IGNORE INTO godwit_day (day) SELECT to_days(utc_date()) + i FROM (${numbers(DAYS)}) AS days`,
  `INSERT IGNORE INTO godwit_block (block) SELECT last + i FROM (SELECT coalesce(max(pos), 0) DIV ${BLOCK} AS last FROM godwit_change) AS position, (${numbers(Math.ceil(budget / BLOCK))}) AS blocks`,
]

const base = ({ budget }: PlanOptions): readonly string[] => [
  `CREATE TABLE IF NOT EXISTS godwit_change (pos BIGINT AUTO_INCREMENT PRIMARY KEY, src VARCHAR(128) NOT NULL, kind CHAR(1) NOT NULL DEFAULT 'C',
  old_key TEXT, new_key TEXT, old_owner TEXT, new_owner TEXT, batch BIGINT, KEY godwit_change_batch (batch, pos)) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  'CREATE TABLE IF NOT EXISTS godwit_batch (n BIGINT PRIMARY KEY, mark VARCHAR(64) NOT NULL) ENGINE=InnoDB',
  'CREATE TABLE IF NOT EXISTS godwit_reader (name VARCHAR(128) PRIMARY KEY, n BIGINT NOT NULL, seen BIGINT NOT NULL) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  'CREATE TABLE IF NOT EXISTS godwit_state (one INT PRIMARY KEY DEFAULT 1, seen BIGINT NOT NULL, budget BIGINT NOT NULL) ENGINE=InnoDB',
  'CREATE TABLE IF NOT EXISTS godwit_lock (one INT PRIMARY KEY DEFAULT 1) ENGINE=InnoDB',
  'CREATE TABLE IF NOT EXISTS godwit_skipped (slot INT PRIMARY KEY, count BIGINT NOT NULL) ENGINE=InnoDB',
  // Days on which a reader counts as there, and blocks of positions that the log may reach.
  'CREATE TABLE IF NOT EXISTS godwit_day (day INT PRIMARY KEY) ENGINE=InnoDB',
  'CREATE TABLE IF NOT EXISTS godwit_block (block BIGINT PRIMARY KEY) ENGINE=InnoDB',
  `INSERT INTO godwit_state (one, seen, budget) VALUES (1, unix_timestamp(), ${budget}) ON DUPLICATE KEY UPDATE budget = VALUES(budget)`,
  'INSERT IGNORE INTO godwit_lock (one) VALUES (1)',
  ...allowances(budget),
]

/** A trigger by its name. */
export interface TriggerDefinition {
  readonly name: string
  readonly table: string
  /** `AFTER INSERT`. */
  readonly when: string
  readonly body: string
}

const SKIP =
  'INSERT INTO godwit_skipped (slot, count) VALUES (connection_id() % 64, 1) ON DUPLICATE KEY UPDATE count = count + 1'

/**
 * What a trigger does. InnoDB locks every row that a trigger reads to the end of the transaction, so it looks up single rows that are never updated: one
 * for the present day, one for the block of the position. Where either is missing it writes nothing and counts, in one of 64 rows, so that writers
 * rarely wait for each other.
 */
const bodyOf = (insert: string): string =>
  `BEGIN IF NOT EXISTS (SELECT 1 FROM godwit_day WHERE day = to_days(utc_date())) THEN ${SKIP}; ELSE ${insert}; IF row_count() > 0 AND NOT EXISTS (SELECT 1 FROM godwit_block WHERE block = last_insert_id() DIV ${BLOCK}) THEN DELETE FROM godwit_change WHERE pos = last_insert_id(); ${SKIP}; END IF; END IF; END`

/** The triggers of the rows of a source's table. */
export function rowTriggers({ source, table, key, owner }: WatchedTable): readonly TriggerDefinition[] {
  const name = literal(source)
  const [slug, column] = [slugOf(source), quoted(key)]
  const [oldOwner, newOwner] = owner === undefined ? ['NULL', 'NULL'] : [`OLD.${quoted(owner)}`, `NEW.${quoted(owner)}`]
  const insert = (oldKey: string, newKey: string, from: string, to: string): string =>
    bodyOf(
      `INSERT INTO godwit_change (src, old_key, new_key, old_owner, new_owner) VALUES (${name}, ${oldKey}, ${newKey}, ${from}, ${to})`,
    )
  const definition = (event: string, body: string): TriggerDefinition => ({
    name: `godwit_${slug}_${event.toLowerCase()}`,
    table,
    when: `AFTER ${event}`,
    body,
  })
  return [
    definition('INSERT', insert('NULL', `NEW.${column}`, 'NULL', newOwner)),
    definition('UPDATE', insert(`OLD.${column}`, `NEW.${column}`, oldOwner, newOwner)),
    definition('DELETE', insert(`OLD.${column}`, 'NULL', oldOwner, 'NULL')),
  ]
}

/** Each statement commits, so an interrupted installation is completed by the next one. */
export async function mysqlPlan(
  connection: Connection,
  tables: readonly WatchedTable[],
  options: PlanOptions,
): Promise<readonly InstallStep[]> {
  const found = await connection.all(sql<{ readonly name: string; readonly table: string; readonly body: string }>`
    SELECT trigger_name AS name, event_object_table AS \`table\`, action_statement AS body FROM information_schema.triggers
    WHERE trigger_schema = database() AND trigger_name LIKE 'godwit\\_%'`)
  const present = new Map(found.map(trigger => [trigger.name, trigger]))
  const steps: InstallStep[] = [{ statements: base(options) }]
  for (const watched of tables)
    for (const { name, table, when, body } of [
      ...rowTriggers(watched),
      ...(await cascadeTriggers(connection, watched)),
    ]) {
      const existing = present.get(name)
      if (existing?.table === table && existing.body === body) continue
      steps.push({
        table,
        statements: [
          `DROP TRIGGER IF EXISTS ${quoted(name)}`,
          `CREATE TRIGGER ${quoted(name)} ${when} ON ${quoted(table)} FOR EACH ROW ${body}`,
        ],
      })
    }
  return steps
}

/** Foreign keys fire no triggers here: those of the parents log the rows that will change. */
async function cascadeTriggers(connection: Connection, watched: WatchedTable): Promise<readonly TriggerDefinition[]> {
  const cascades = await cascadesOf(connection, watched.table)
  const [key, owner] = [quoted(watched.key), watched.owner === undefined ? 'NULL' : `c0.${quoted(watched.owner)}`]
  return cascades.flatMap(({ parent, joins, on, parentColumns, onDelete, onUpdate }, at) => {
    const insert = bodyOf(
      `INSERT INTO godwit_change (src, old_key, new_key, old_owner) SELECT ${literal(watched.source)}, c0.${key}, c0.${key}, ${owner} FROM ${joins} WHERE ${on}`,
    )
    const changes = parentColumns.map(column => `NOT (OLD.${quoted(column)} <=> NEW.${quoted(column)})`).join(' OR ')
    const name = `godwit_${slugOf(watched.source)}_parent${at}`
    return [
      ...(onDelete ? [{ name: `${name}_delete`, table: parent, when: 'BEFORE DELETE', body: insert }] : []),
      ...(onUpdate
        ? [
            {
              name: `${name}_update`,
              table: parent,
              when: 'BEFORE UPDATE',
              body: `BEGIN IF ${changes} THEN ${insert}; END IF; END`,
            },
          ]
        : []),
    ]
  })
}

export async function mysqlRemoval(connection: Connection): Promise<readonly InstallStep[]> {
  const rows = await connection.all(sql<{ readonly name: string; readonly table: string }>`
    SELECT trigger_name AS name, event_object_table AS \`table\` FROM information_schema.triggers
    WHERE trigger_schema = database() AND trigger_name LIKE 'godwit\\_%' ORDER BY trigger_name`)
  return [
    ...rows.map(({ name, table }) => ({ table, statements: [`DROP TRIGGER IF EXISTS ${quoted(name)}`] })),
    {
      statements: ['change', 'batch', 'reader', 'state', 'lock', 'skipped', 'day', 'block'].map(
        name => `DROP TABLE IF EXISTS godwit_${name}`,
      ),
    },
  ]
}
