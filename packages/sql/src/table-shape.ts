import { failure } from '@godwit/source'
import type { Connection } from './connection.js'
import type { Database } from './database.js'
import type { Column } from './table.js'

/** How a source uses a table. */
export interface SourceTable {
  readonly source: string
  readonly table: string
  readonly key: string
  /** The column with the name of the partition; undefined: the table is one partition. */
  readonly owner: string | undefined
  /** The columns that devices get. */
  readonly columns: readonly string[]
  /** A column that is null unless the row counts as deleted. */
  readonly softDelete: string | undefined
  /** A whole number that every write of a device raises. */
  readonly version: string | undefined
}

/** The columns of a source's table as the database describes them. */
export interface TableShape {
  readonly all: ReadonlyMap<string, Column>
  readonly key: Column
  readonly owner: Column | undefined
  readonly columns: readonly Column[]
}

/** Describes the table of a source. Throws `backend_failed` if it or one of its columns does not exist. */
export async function shapeOf(
  connection: Connection,
  { columns: dialect }: Database,
  source: SourceTable,
): Promise<TableShape> {
  const all = await dialect.describe(connection, source.table)
  if (all.size === 0)
    throw failure(
      `The source ${source.source}: expected a table ${source.table}, got none. Check its name and the rights of the user.`,
    )
  const column = (name: string): Column => {
    const found = all.get(name)
    if (found) return found
    const names = [...all.keys()].join(', ')
    throw failure(
      `The source ${source.source}: expected a column ${name} in ${source.table}, got ${names}. Was it renamed? Change the source likewise.`,
    )
  }
  for (const name of [source.softDelete, source.version]) if (name !== undefined) column(name)
  return {
    all,
    key: column(source.key),
    owner: source.owner === undefined ? undefined : column(source.owner),
    columns: source.columns.map(column),
  }
}
