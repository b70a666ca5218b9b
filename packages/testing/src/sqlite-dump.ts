/** The part of a better-sqlite3 database that a dump needs. */
export interface DumpedDatabase {
  prepare(sql: string): { all(): unknown[]; pluck(): { all(): unknown[] } }
  pragma(sql: string, options?: { readonly simple?: boolean }): unknown
}

interface SchemaRow {
  readonly type: string
  readonly name: string
  readonly sql: string
}

const SELECT_SCHEMA = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY type, name"

/** The names of a file's tables. */
export const tablesOf = (file: DumpedDatabase): readonly string[] =>
  (file.prepare(SELECT_SCHEMA).all() as readonly SchemaRow[])
    .filter(({ type }) => type === 'table')
    .map(({ name }) => name)

/** Returns SQL that makes a copy of a file: each statement of its schema word for word, and its rows. */
export function dumpOf(file: DumpedDatabase): string {
  const rows = file.prepare(SELECT_SCHEMA).all() as readonly SchemaRow[]
  const schemaOf = (isTable: boolean) =>
    rows.filter(({ type }) => (type === 'table') === isTable).map(({ sql }) => `${sql};`)
  const pragma = (name: string) => `PRAGMA ${name} = ${file.pragma(name, { simple: true })};`
  return [
    pragma('application_id'),
    pragma('user_version'),
    ...schemaOf(true),
    ...[...tablesOf(file), 'sqlite_sequence'].flatMap(table => insertsOf(file, table)),
    // After the rows, because triggers would change them.
    ...schemaOf(false),
    '',
  ].join('\n')
}

function insertsOf(file: DumpedDatabase, table: string): readonly string[] {
  const columns = (file.pragma(`table_info("${table}")`) as readonly { readonly name: string }[]).map(
    ({ name }) => `quote("${name}")`,
  )
  // A file without numbered tables has no `sqlite_sequence`.
  if (columns.length === 0) return []
  const values = file
    .prepare(`SELECT ${columns.join(` || ', ' || `)} FROM "${table}"`)
    .pluck()
    .all()
  return values.map(row => `INSERT INTO "${table}" VALUES (${row});`)
}
