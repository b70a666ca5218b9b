import { sql } from 'kysely'
import type { Connection } from '../connection.js'

/** A foreign key by which a change of a parent changes rows of a table. */
export interface Cascade {
  readonly parent: string
  /** The FROM of the rows: the table as `c0`, joined to those between it and the parent. */
  readonly joins: string
  /** The condition by which the rows belong to OLD of the parent. */
  readonly on: string
  readonly parentColumns: readonly string[]
  readonly onDelete: boolean
  readonly onUpdate: boolean
}

interface ForeignKey {
  readonly child: string
  readonly parent: string
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
  readonly onDelete: boolean
  readonly onUpdate: boolean
}

/** Parents of parents that are followed: a longer chain of cascades is rare. */
const DEPTH = 4
const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Returns the cascades into a table, from its parents and their parents. */
export async function cascadesOf(connection: Connection, table: string): Promise<readonly Cascade[]> {
  const keys = await foreignKeys(connection)
  const follow = (
    child: string,
    joins: string,
    depth: number,
    actions: { onDelete: boolean; onUpdate: boolean },
  ): readonly Cascade[] =>
    keys
      .filter(key => key.child === child)
      .flatMap(({ parent, columns, parentColumns, ...own }) => {
        const onDelete = actions.onDelete && own.onDelete
        const onUpdate = (depth === 0 || actions.onUpdate) && own.onUpdate
        if (!onDelete && !onUpdate) return []
        const on = columns.map((column, at) => `c${depth}.${quoted(column)} = OLD.${quoted(parentColumns[at] ?? '')}`)
        const next = columns.map(
          (column, at) => `c${depth}.${quoted(column)} = c${depth + 1}.${quoted(parentColumns[at] ?? '')}`,
        )
        const cascade = { parent, joins, on: on.join(' AND '), parentColumns, onDelete, onUpdate }
        if (depth === DEPTH) return [cascade]
        return [
          cascade,
          ...follow(parent, `${joins} JOIN ${quoted(parent)} c${depth + 1} ON ${next.join(' AND ')}`, depth + 1, {
            onDelete,
            onUpdate,
          }),
        ]
      })
  return follow(table, `${quoted(table)} c0`, 0, { onDelete: true, onUpdate: true })
}

interface KeyColumn {
  readonly name: string
  readonly child: string
  readonly parent: string
  readonly col: string
  readonly parent_col: string
  readonly on_delete: string
  readonly on_update: string
}

async function foreignKeys(connection: Connection): Promise<readonly ForeignKey[]> {
  const rows = await connection.all(sql<KeyColumn>`
    SELECT k.constraint_name AS name, k.table_name AS child, k.referenced_table_name AS parent, k.column_name AS col,
      k.referenced_column_name AS parent_col, r.delete_rule AS on_delete, r.update_rule AS on_update
    FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
      ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
    WHERE k.table_schema = database() AND k.referenced_table_name IS NOT NULL ORDER BY k.table_name, k.constraint_name, k.ordinal_position`)
  const byName = new Map<string, KeyColumn[]>()
  for (const row of rows) {
    const name = `${row.child} ${row.name}`
    byName.set(name, [...(byName.get(name) ?? []), row])
  }
  const acts = (rule: string | undefined): boolean => /CASCADE|SET/.test(rule ?? '')
  return [...byName.values()].map(columns => ({
    child: columns[0]?.child ?? '',
    parent: columns[0]?.parent ?? '',
    columns: columns.map(({ col }) => col),
    parentColumns: columns.map(({ parent_col }) => parent_col),
    onDelete: acts(columns[0]?.on_delete),
    onUpdate: acts(columns[0]?.on_update),
  }))
}
