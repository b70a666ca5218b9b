import type { AttributeValue } from '@godwit/protocol'
import { type RawBuilder, sql } from 'kysely'
import { type Connection, inTransaction } from './connection.js'
import type { Database } from './database.js'
import { tableName } from './table.js'
import { type SourceTable, shapeOf, type TableShape } from './table-shape.js'

/** A row as a source delivers it. */
export interface SourceRow {
  readonly id: string
  /** The partition; null if the row is in none. */
  readonly owner: string | null
  /** Without columns that are null. */
  readonly attributes: { readonly [column: string]: AttributeValue }
}

type TextRow = { readonly [alias: string]: string | null }

const PAGE = 1000

/** Yields the rows of a partition in pages by key, each in a transaction: none is open for long. */
export async function* readPartition(
  database: Database,
  source: SourceTable,
  { partition, signal }: { readonly partition: string; readonly signal: AbortSignal },
): AsyncGenerator<readonly SourceRow[]> {
  // A feed that sees another schema has the partition read again.
  let shape: TableShape | undefined
  for (let last: string | undefined, more = true; more; ) {
    signal.throwIfAborted()
    const rows: readonly SourceRow[] = await database.connect(connection =>
      readWhole(database, connection, async () => {
        shape ??= await shapeOf(connection, database, source)
        const { columns } = database
        const key = sql.id(source.key)
        const where = [
          ...(source.owner === undefined ? [] : [sql`${sql.id(source.owner)} = ${partition}`]),
          ...(last === undefined ? [] : [sql`${key} > ${last}`]),
        ]
        const condition = where.length === 0 ? sql`` : sql`WHERE ${sql.join(where, sql` AND `)}`
        const rows = await connection.all(sql<TextRow>`
          SELECT ${selectList(database, source, shape)} FROM ${tableName(source.table)} ${condition} ORDER BY ${key} LIMIT ${sql.lit(PAGE)}`)
        more = rows.length === PAGE
        last = rows.at(-1)?.['godwit_id'] ?? last
        return presentRows(rows, columns, shape)
      }),
    )
    // A collation may take 'Ada' for 'ada'.
    const own = source.owner === undefined ? rows : rows.filter(({ owner }) => owner === partition)
    if (own.length > 0) yield own
  }
}

/** Reads rows by their keys, in any partition, in a separate transaction. */
export const readRows = (
  database: Database,
  source: SourceTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SourceRow>> =>
  database.connect(connection =>
    readWhole(database, connection, async () =>
      rowsByKey(connection, database, { source, shape: await shapeOf(connection, database, source), ids }),
    ),
  )

/** Calls `read` in a transaction with the settings in which values are text, and fails where a policy hides rows. */
const readWhole = <T>({ columns }: Database, connection: Connection, read: () => Promise<T>): Promise<T> =>
  inTransaction(connection, async () => {
    for (const statement of [...columns.readable, ...columns.whole]) await connection.run(statement)
    return read()
  })

interface RowsByKey {
  readonly source: SourceTable
  readonly shape: TableShape
  readonly ids: readonly string[]
}

/** Keys of one statement. */
const KEYS = 1000

/** Reads rows by their keys in the transaction of the connection. Soft-deleted rows are absent, like ids that no key of the table can have. */
export async function rowsByKey(
  connection: Connection,
  database: Database,
  { source, shape, ids }: RowsByKey,
): Promise<ReadonlyMap<string, SourceRow>> {
  const found = new Map<string, SourceRow>()
  const possible = ids.filter(id => isPossible(shape.key.type, id))
  for (let at = 0; at < possible.length; at += KEYS) {
    const rows = await connection.all(sql<TextRow>`
      SELECT ${selectList(database, source, shape)} FROM ${tableName(source.table)}
      WHERE ${sql.id(source.key)} IN (${sql.join(possible.slice(at, at + KEYS))})`)
    for (const row of presentRows(rows, database.columns, shape)) found.set(row.id, row)
  }
  return found
}

const WHOLE = /^(int2|int4|int8|tinyint|smallint|mediumint|int|bigint|integer)$/
const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i
const RANGE: { readonly [type: string]: bigint } = { int2: 2n ** 15n, int4: 2n ** 31n, int8: 2n ** 63n }

/** A database refuses a statement in which a text is not of the type of the key. */
function isPossible(type: string, id: string): boolean {
  if (type === 'uuid') return UUID.test(id)
  if (!WHOLE.test(type)) return true
  if (!/^-?\d{1,19}$/.test(id)) return false
  const range = RANGE[type] ?? 2n ** 64n
  const value = BigInt(id)
  return value < range && value >= -range
}

/** Selects id, owner, deletion and the columns, under aliases that no column has: ORDER BY prefers an alias, and the key would be sorted as text. */
export function selectList({ columns }: Database, source: SourceTable, shape: TableShape): RawBuilder<unknown> {
  const { softDelete } = source
  return sql.join([
    sql`${columns.id(shape.key)} AS ${sql.id('godwit_id')}`,
    ...(shape.owner ? [sql`${columns.id(shape.owner)} AS ${sql.id('godwit_owner')}`] : []),
    ...(softDelete === undefined
      ? []
      : [sql`CASE WHEN ${sql.id(softDelete)} IS NULL THEN NULL ELSE 'deleted' END AS ${sql.id('godwit_deleted')}`]),
    ...shape.columns.map((column, at) => sql`${columns.text(column)} AS ${sql.id(`godwit_${at}`)}`),
  ])
}

const presentRows = (rows: readonly TextRow[], dialect: Database['columns'], shape: TableShape): readonly SourceRow[] =>
  rows.filter(({ godwit_deleted = null }) => godwit_deleted === null).map(row => sourceRow(row, dialect, shape))

/** Converts a row of `selectList`. */
export function sourceRow(row: TextRow, dialect: Database['columns'], { columns }: TableShape): SourceRow {
  const attributes = columns.flatMap((column, at) => {
    const text = row[`godwit_${at}`]
    return typeof text === 'string' ? [[column.name, dialect.toJson(column, text)] as const] : []
  })
  return {
    id: String(row['godwit_id']),
    owner: row['godwit_owner'] ?? null,
    attributes: Object.fromEntries(attributes),
  }
}
