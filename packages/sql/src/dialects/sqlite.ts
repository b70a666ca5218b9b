import type { AttributeValue } from '@godwit/protocol'
import { type RawBuilder, sql } from 'kysely'
import type { Column, ColumnDialect } from '../table.js'

interface CatalogColumn {
  readonly name: string
  readonly type: string
  readonly dflt_value: string | null
  readonly notnull: number
  readonly pk: number
  readonly hidden: number
}

/** Columns of SQLite, whose values have the type that was stored: a letter of it stands before the text. */
export const sqliteColumns: ColumnDialect = {
  hasReturning: true,
  async describe(connection, table) {
    const rows = await connection.all(
      sql<CatalogColumn>`SELECT name, type, dflt_value, "notnull", pk, hidden FROM pragma_table_xinfo(${table})`,
    )
    return new Map(
      rows.map(({ name, type, dflt_value, notnull, pk, hidden }) => [
        name,
        {
          name,
          type: type.toLowerCase().replace(/\(.*/, '').trim(),
          isArray: false,
          hasDefault: dflt_value !== null || (pk === 0 ? notnull === 0 : /^integer$/i.test(type)),
          isGenerated: hidden >= 2,
        },
      ]),
    )
  },
  readable: [],
  whole: [],
  id: ({ name }) => sql`CAST(${sql.id(name)} AS TEXT)`,
  text({ name }) {
    const column = sql.id(name)
    return sql`CASE typeof(${column}) WHEN 'null' THEN NULL WHEN 'blob' THEN 'b' || hex(${column}) WHEN 'integer' THEN 'i' || ${column}
      WHEN 'real' THEN 'r' || printf('%!.17g', ${column}) ELSE 't' || ${column} END`
  },
  toJson: (_, text) => sqliteJson(text),
  parameter: sqliteParameter,
}

/** Converts the text of a value with the letter of its type. */
export function sqliteJson(marked: string): AttributeValue {
  const text = marked.slice(1)
  switch (marked[0]) {
    case 'i':
      return Number.isSafeInteger(Number(text)) ? Number(text) : text
    case 'r':
      return /inf/i.test(text) ? (text.startsWith('-') ? '-Infinity' : 'Infinity') : Number(text)
    case 'b':
      return Buffer.from(text, 'hex').toString('base64')
    default:
      return text
  }
}

function sqliteParameter({ type }: Column, value: AttributeValue): RawBuilder<unknown> {
  if (typeof value === 'boolean') return sql`${value ? 1 : 0}`
  if (type.includes('blob') && typeof value === 'string') return sql`${Buffer.from(value, 'base64')}`
  // A number would be bound as a real, which a column without a numeric type keeps as 1.0.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return sql`${BigInt(value)}`
  return sql`${typeof value === 'object' && value !== null ? JSON.stringify(value) : value}`
}
