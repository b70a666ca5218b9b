import { type RawBuilder, sql } from 'kysely'
import type { Connection, DatabaseKind } from '../connection.js'
import type { Database } from '../database.js'
import type { DescribedTable } from './described-table.js'

interface KeyRow {
  readonly table: string
  readonly column: string
}
interface ReferenceRow extends KeyRow {
  readonly parent: string
}
interface TextRow {
  readonly table: string
  readonly column: string
  readonly text: string
}

/** The statements that read a catalog. Tables of the log are left out. */
interface Catalog {
  readonly tables: RawBuilder<{ readonly name: string }>
  /** In the order of the key. */
  readonly primaryKeys: RawBuilder<KeyRow>
  /** Foreign keys of one column. */
  readonly references: RawBuilder<ReferenceRow>
  /** A row for each label of an enum, or one with all of them. */
  readonly labels: RawBuilder<TextRow>
  readonly checks: RawBuilder<TextRow>
  readonly nullable: RawBuilder<KeyRow>
}

const POSTGRESQL: Catalog = {
  tables: sql`SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND relname NOT LIKE 'godwit\\_%' ORDER BY relname`,
  primaryKeys: sql`SELECT c.relname AS "table", a.attname AS "column" FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS u (num, at) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.num
    WHERE k.contype = 'p' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname, u.at`,
  references: sql`SELECT c.relname AS "table", a.attname AS "column", p.relname AS parent FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
    WHERE k.contype = 'f' AND cardinality(k.conkey) = 1 AND c.relnamespace = current_schema()::regnamespace`,
  labels: sql`SELECT c.relname AS "table", a.attname AS "column", e.enumlabel AS text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_enum e ON e.enumtypid = a.atttypid WHERE c.relnamespace = current_schema()::regnamespace AND NOT a.attisdropped ORDER BY e.enumsortorder`,
  checks: sql`SELECT c.relname AS "table", k.conname AS "column", pg_get_constraintdef(k.oid) AS text FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'c' AND c.relnamespace = current_schema()::regnamespace ORDER BY k.conname`,
  nullable: sql`SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_nullable = 'YES'`,
}

const MYSQL: Catalog = {
  tables: sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database() AND table_type = 'BASE TABLE'
    AND table_name NOT LIKE 'godwit\\_%' ORDER BY table_name`,
  primaryKeys: sql`SELECT table_name AS \`table\`, column_name AS \`column\` FROM information_schema.key_column_usage
    WHERE table_schema = database() AND constraint_name = 'PRIMARY' ORDER BY table_name, ordinal_position`,
  references: sql`SELECT table_name AS \`table\`, min(column_name) AS \`column\`, min(referenced_table_name) AS parent
    FROM information_schema.key_column_usage WHERE table_schema = database() AND referenced_table_name IS NOT NULL
    GROUP BY table_name, constraint_name HAVING count(*) = 1`,
  labels: sql`SELECT table_name AS \`table\`, column_name AS \`column\`, column_type AS text FROM information_schema.columns
    WHERE table_schema = database() AND data_type = 'enum'`,
  checks: sql`SELECT t.table_name AS \`table\`, c.constraint_name AS \`column\`, c.check_clause AS text FROM information_schema.check_constraints c
    JOIN information_schema.table_constraints t ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name
    WHERE c.constraint_schema = database()`,
  nullable: sql`SELECT table_name AS \`table\`, column_name AS \`column\` FROM information_schema.columns
    WHERE table_schema = database() AND is_nullable = 'YES'`,
}

const TABLES_OF_SQLITE = sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'godwit\\_%' ESCAPE '\\'`
const NOTHING = sql<TextRow>`SELECT '' AS "table", '' AS "column", '' AS text WHERE 1 = 0`
const SQLITE: Catalog = {
  tables: sql`${TABLES_OF_SQLITE} ORDER BY name`,
  primaryKeys: sql`SELECT t.name AS "table", i.name AS "column" FROM (${TABLES_OF_SQLITE}) t JOIN pragma_table_info(t.name) i WHERE i.pk > 0 ORDER BY t.name, i.pk`,
  references: sql`SELECT t.name AS "table", max(f."from") AS "column", max(f."table") AS parent FROM (${TABLES_OF_SQLITE}) t
    JOIN pragma_foreign_key_list(t.name) f GROUP BY t.name, f.id HAVING count(*) = 1`,
  labels: NOTHING,
  checks: NOTHING,
  nullable: sql`SELECT t.name AS "table", i.name AS "column" FROM (${TABLES_OF_SQLITE}) t JOIN pragma_table_info(t.name) i WHERE i."notnull" = 0 AND i.pk = 0`,
}

const CATALOGS: { readonly [kind in DatabaseKind]: Catalog } = { postgresql: POSTGRESQL, mysql: MYSQL, sqlite: SQLITE }

/** Reads the tables of a database, with keys, references, enums and checks. */
export const readSchema = (database: Database): Promise<readonly DescribedTable[]> =>
  database.connect(async connection => {
    const catalog = CATALOGS[database.kind]
    const [primaryKeys, references, labels, checks, nullable] = [
      await connection.all(catalog.primaryKeys),
      await connection.all(catalog.references),
      await connection.all(catalog.labels),
      await connection.all(catalog.checks),
      await connection.all(catalog.nullable),
    ]
    const tables: DescribedTable[] = []
    for (const { name: table } of await connection.all(catalog.tables)) {
      const columns = await columnsOf(connection, database, table)
      const of = <Row extends KeyRow>(rows: readonly Row[], column: string): readonly Row[] =>
        rows.filter(row => row.table === table && row.column === column)
      tables.push({
        name: table,
        primaryKey: primaryKeys.filter(row => row.table === table).map(({ column }) => column),
        checks: checks.filter(row => row.table === table).map(({ text }) => text),
        columns: columns.map(column => {
          const [reference] = of(references, column.name)
          const texts = of(labels, column.name).flatMap(({ text }) => labelsIn(text))
          return {
            ...column,
            isNullable: of(nullable, column.name).length > 0,
            ...(texts.length > 0 && { labels: texts }),
            ...(reference && { refersTo: reference.parent }),
          }
        }),
      })
    }
    return tables
  })

async function columnsOf(connection: Connection, { columns }: Database, table: string) {
  return [...(await columns.describe(connection, table)).values()]
}

/** MySQL has all labels in one text: `enum('a','b')`. */
const labelsIn = (text: string): readonly string[] =>
  /^enum\(/i.test(text)
    ? [...text.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = '']) => label.replaceAll("''", "'"))
    : [text]
