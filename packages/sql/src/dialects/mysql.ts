import type { AttributeValue } from '@godwit/protocol'
import { type RawBuilder, sql } from 'kysely'
import type { Column, ColumnDialect } from '../table.js'
import { jsonValue } from './json-value.js'

interface CatalogColumn {
  readonly name: string
  readonly type: string
  readonly full: string
  readonly has_default: number | string
  readonly is_generated: number | string
}

const BYTES = new Set(['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob', 'bit'])
const INTEGERS = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'year'])

/** Columns of MySQL and MariaDB. */
export const mysqlColumns: ColumnDialect = {
  // MySQL has none; MariaDB's is not needed then.
  hasReturning: false,
  async describe(connection, table) {
    const [name = '', schema] = table.split('.').toReversed()
    const rows = await connection.all(sql<CatalogColumn>`
      SELECT column_name AS name, lower(data_type) AS type, lower(column_type) AS full,
        (column_default IS NOT NULL OR is_nullable = 'YES' OR extra LIKE '%auto_increment%') AS has_default,
        (extra LIKE '%GENERATED%' AND extra NOT LIKE '%DEFAULT_GENERATED%') AS is_generated
      FROM information_schema.columns
      WHERE table_schema = coalesce(${schema ?? null}, database()) AND table_name = ${name}
      ORDER BY ordinal_position`)
    return new Map(
      rows.map(({ name, type, full, has_default, is_generated }) => [
        name,
        {
          name,
          type: full === 'tinyint(1)' ? 'bool' : type,
          isArray: false,
          hasDefault: Number(has_default) === 1,
          isGenerated: Number(is_generated) === 1,
        },
      ]),
    )
  },
  readable: [],
  whole: [],
  id: ({ name }) => sql`CAST(${sql.id(name)} AS CHAR)`,
  text({ name, type }) {
    const column = sql.id(name)
    if (BYTES.has(type)) return sql`to_base64(${column})`
    // Independent of the time zone of the session, and unique in the hour that a clock repeats.
    if (type === 'timestamp') return sql`CAST(unix_timestamp(${column}) AS CHAR)`
    if (type === 'float') return sql`CAST(${column} + 0E0 AS CHAR)`
    return sql`CAST(${column} AS CHAR)`
  },
  toJson: mysqlJson,
  parameter: mysqlParameter,
}

/** Converts the text of a value. */
export function mysqlJson({ type }: Pick<Column, 'type'>, text: string): AttributeValue {
  if (type === 'bool') return text === '1' ? true : text === '0' ? false : Number(text)
  if (INTEGERS.has(type)) return Number(text)
  if (type === 'double') return Number(text)
  if (type === 'float') return shortest(Number(text))
  if (BYTES.has(type)) return text.replaceAll('\n', '')
  if (type === 'json') return jsonValue(text)
  if (type === 'timestamp') return instant(text)
  return text
}

/** The shortest decimal that is the same in 32 bits. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const near = Number(value.toPrecision(digits))
    if (Math.fround(near) === value) return near
  }
  return value
}

/** Seconds since 1970 with any fraction, as an instant with the same digits. */
function instant(seconds: string): string {
  const [whole = '', fraction] = seconds.split('.')
  const date = new Date(Number(whole) * 1000).toISOString().slice(0, 19)
  return fraction === undefined ? `${date}Z` : `${date}.${fraction}Z`
}

function mysqlParameter({ type }: Column, value: AttributeValue): RawBuilder<unknown> {
  if (value === null) return sql`${null}`
  if (type === 'json') return sql`${JSON.stringify(value)}`
  if (typeof value === 'boolean') return sql`${value ? 1 : 0}`
  if (typeof value === 'number') return sql`${value}`
  if (typeof value === 'object') return sql`${JSON.stringify(value)}`
  if (BYTES.has(type)) return sql`from_base64(${value})`
  if (type === 'timestamp' || type === 'datetime') return time(type, value)
  return sql`${value}`
}

/** An instant is stored in UTC, whatever the zone of the session; other texts are left to the database. */
function time(type: string, value: string): RawBuilder<unknown> {
  const [, date, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(value) ?? []
  if (date === undefined) return sql`${value}`
  if (type === 'datetime') return sql`${`${date.replace('T', ' ')}${fraction}`}`
  return sql`from_unixtime(${`${Date.parse(`${date}Z`) / 1000}${fraction}`})`
}
