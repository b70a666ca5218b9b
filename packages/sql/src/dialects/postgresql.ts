import { sql } from 'kysely'
import type { Column, ColumnDialect } from '../table.js'
import { postgresqlJson, postgresqlText } from './postgresql-values.js'

interface CatalogColumn {
  readonly name: string
  readonly type: string
  readonly element: string | null
  readonly has_default: string
  readonly generated: string
}

/** Types whose cast to text is not what the server sends: it adds a netmask, or removes spaces. */
const CAST_APART = new Set(['inet', 'bpchar'])

/** Columns of PostgreSQL: every value is cast to text by the server, in settings that lose nothing. */
export const postgresqlColumns: ColumnDialect = {
  hasReturning: true,
  async describe(connection, table) {
    // A domain is what it is based on; one of a domain, likewise.
    const rows = await connection.all(sql<CatalogColumn>`
      WITH RECURSIVE base AS (
        SELECT oid, oid AS found, typtype, typbasetype FROM pg_type
        UNION ALL
        SELECT base.oid, t.oid, t.typtype, t.typbasetype FROM base JOIN pg_type t ON t.oid = base.typbasetype WHERE base.typtype = 'd'
      )
      SELECT a.attname AS name, t.typname AS type, e.typname AS element,
        (a.atthasdef OR a.attidentity <> '' OR NOT a.attnotnull)::text AS has_default,
        (a.attidentity = 'a' OR a.attgenerated <> '')::text AS generated
      FROM pg_attribute a
      JOIN base ON base.oid = a.atttypid AND base.typtype <> 'd'
      JOIN pg_type t ON t.oid = base.found
      LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
      WHERE a.attrelid = to_regclass(${quoted(table)}) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum`)
    return new Map(rows.map(row => [row.name, columnOf(row)]))
  },
  readable: [
    sql`SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'iso_8601', true),
      set_config('extra_float_digits', '1', true), set_config('bytea_output', 'hex', true)`,
  ],
  whole: [sql`SELECT set_config('row_security', 'off', true)`],
  id: ({ name }) => sql`${sql.id(name)}::text`,
  text: ({ name, type }) =>
    CAST_APART.has(type)
      ? sql`CASE WHEN ${sql.id(name)} IS NOT NULL THEN format('%s', ${sql.id(name)}) END`
      : sql`${sql.id(name)}::text`,
  toJson: postgresqlJson,
  parameter: (column, value) => sql`${postgresqlText(column, value)}`,
}

const columnOf = ({ name, type, element, has_default, generated }: CatalogColumn): Column => ({
  name,
  type: element ?? type,
  isArray: element !== null,
  hasDefault: has_default === 'true',
  isGenerated: generated === 'true',
})

const quoted = (table: string): string =>
  table
    .split('.')
    .map(part => `"${part.replaceAll('"', '""')}"`)
    .join('.')
