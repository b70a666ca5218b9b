import { sql } from 'kysely'
import type { Connection } from '../connection.js'
import { type InstallStep, literal, type PlanOptions, READER_LIFE, slugOf, type WatchedTable } from './change-log.js'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Rows between the first and the last position. */
export const SQLITE_OVER = `(SELECT seen < unixepoch() - ${READER_LIFE} OR budget < coalesce((SELECT max(pos) FROM godwit_change), 0) - coalesce((SELECT min(pos) FROM godwit_change), 0) FROM godwit_state)`

const base = ({ budget }: PlanOptions): readonly string[] => [
  `CREATE TABLE IF NOT EXISTS godwit_change (pos INTEGER PRIMARY KEY AUTOINCREMENT, src TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'C',
  old_key TEXT, new_key TEXT, old_owner TEXT, new_owner TEXT, batch INTEGER)`,
  'CREATE INDEX IF NOT EXISTS godwit_change_batch ON godwit_change (batch, pos)',
  'CREATE TABLE IF NOT EXISTS godwit_batch (n INTEGER PRIMARY KEY, mark TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS godwit_reader (name TEXT PRIMARY KEY, n INTEGER NOT NULL, seen INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS godwit_state (one INTEGER PRIMARY KEY, seen INTEGER NOT NULL, budget INTEGER NOT NULL, skipped INTEGER NOT NULL DEFAULT 0)',
  `INSERT INTO godwit_state (one, seen, budget) VALUES (1, unixepoch(), ${budget}) ON CONFLICT (one) DO UPDATE SET budget = excluded.budget`,
]

interface TriggerDefinition {
  readonly name: string
  readonly text: string
}

/** The triggers of a source's table, with those for rows that REPLACE pushes out: it fires no DELETE trigger unless a connection asks for it. */
export async function sqliteTriggers(
  connection: Connection,
  watched: WatchedTable,
): Promise<readonly TriggerDefinition[]> {
  const { source, table, key, owner } = watched
  const [name, column] = [literal(source), quoted(key)]
  const text = (row: string, member: string | undefined): string =>
    member === undefined ? 'NULL' : `CAST(${row}.${quoted(member)} AS TEXT)`
  const values = (oldKey: string, newKey: string, from: string, to: string): string =>
    `INSERT INTO godwit_change (src, old_key, new_key, old_owner, new_owner) SELECT ${name}, ${oldKey}, ${newKey}, ${from}, ${to} WHERE NOT ${SQLITE_OVER}`
  const trigger = (kind: string, when: string, statement: string): TriggerDefinition => {
    const id = `godwit_${slugOf(source)}_${kind}`
    const skip = `UPDATE godwit_state SET skipped = skipped + 1 WHERE ${SQLITE_OVER}`
    return {
      name: id,
      text: `CREATE TRIGGER ${quoted(id)} ${when} ON ${quoted(table)} BEGIN ${skip}; ${statement}; END`,
    }
  }
  const [oldKey, newKey] = [text('OLD', key), text('NEW', key)]
  const [oldOwner, newOwner] = [text('OLD', owner), text('NEW', owner)]
  const conflicts = (await uniqueColumns(connection, watched)).map(
    columns => `(${columns.map(member => `r.${quoted(member)} = NEW.${quoted(member)}`).join(' AND ')})`,
  )
  const pushedOut = (except: string): string =>
    `INSERT INTO godwit_change (src, old_key, old_owner) SELECT ${name}, ${text('r', key)}, ${text('r', owner)} FROM ${quoted(table)} r WHERE (${conflicts.join(' OR ')})${except} AND NOT ${SQLITE_OVER}`
  return [
    trigger('insert', 'AFTER INSERT', values('NULL', newKey, 'NULL', newOwner)),
    trigger('update', 'AFTER UPDATE', values(oldKey, newKey, oldOwner, newOwner)),
    trigger('delete', 'AFTER DELETE', values(oldKey, 'NULL', oldOwner, 'NULL')),
    trigger('replace', 'BEFORE INSERT', pushedOut('')),
    trigger('displace', 'BEFORE UPDATE', pushedOut(` AND r.${column} IS NOT OLD.${column}`)),
  ]
}

/** The key, and the columns of each unique index: what a new row may push out. */
async function uniqueColumns(
  connection: Connection,
  { table, key }: WatchedTable,
): Promise<readonly (readonly string[])[]> {
  const rows = await connection.all(sql<{ readonly name: string; readonly col: string | null }>`
    SELECT l.name AS name, i.name AS col FROM pragma_index_list(${table}) l JOIN pragma_index_info(l.name) i WHERE l."unique" = 1 ORDER BY l.name, i.seqno`)
  const indexes = new Map<string, (string | null)[]>()
  for (const { name, col } of rows) indexes.set(name, [...(indexes.get(name) ?? []), col])
  const whole = [...indexes.values()].filter((columns): columns is string[] => !columns.includes(null))
  return [[key], ...whole.filter(columns => columns.length !== 1 || columns[0] !== key)]
}

export async function sqlitePlan(
  connection: Connection,
  tables: readonly WatchedTable[],
  options: PlanOptions,
): Promise<readonly InstallStep[]> {
  const found = await connection.all(sql<{ readonly name: string; readonly sql: string }>`
    SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`)
  const present = new Map(found.map(({ name, sql: text }) => [name, text]))
  const steps: InstallStep[] = [{ statements: base(options) }]
  for (const watched of tables) {
    const triggers = await sqliteTriggers(connection, watched)
    const lacking = triggers.filter(({ name, text }) => present.get(name) !== text)
    if (lacking.length === 0) continue
    steps.push({
      table: watched.table,
      statements: lacking.flatMap(({ name, text }) => [`DROP TRIGGER IF EXISTS ${quoted(name)}`, text]),
    })
  }
  return steps
}

export async function sqliteRemoval(connection: Connection): Promise<readonly InstallStep[]> {
  const rows = await connection.all(sql<{ readonly name: string; readonly table: string }>`
    SELECT name, tbl_name AS "table" FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'godwit\\_%' ESCAPE '\\' ORDER BY name`)
  return [
    ...rows.map(({ name, table }) => ({ table, statements: [`DROP TRIGGER ${quoted(name)}`] })),
    { statements: ['change', 'batch', 'reader', 'state'].map(name => `DROP TABLE IF EXISTS godwit_${name}`) },
  ]
}
