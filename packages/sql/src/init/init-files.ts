import type { Kysely } from 'kysely'
import { openDatabase } from '../database.js'
import type { DescribedColumn, DescribedTable } from './described-table.js'
import { readSchema } from './read-schema.js'

/** The files that `init` writes, to be edited. */
export interface InitFiles {
  /** The configuration of the server: `godwit.config.mjs`. */
  readonly config: string
  /** The models of the app: `models.ts`. */
  readonly models: string
  /** What a person has to decide, a line each. */
  readonly notes: readonly string[]
}

/** Columns that often have the login of the user who has the row. */
const OWNERS = ['user_login', 'login', 'owner', 'owner_login', 'user_name', 'username', 'user']
const SOFT_DELETES = ['deleted_at', 'removed_at', 'archived_at']
const VERSIONS = ['row_version', 'version', 'lock_version']

/** Reads the catalog of a database, and returns a configuration with a source for each table, and a model for each source. */
export async function initFiles<DB>(kysely: Kysely<DB>): Promise<InitFiles> {
  const tables = await readSchema(openDatabase(kysely))
  const usable = tables.filter(({ primaryKey }) => primaryKey.length === 1)
  const others = tables.filter(table => !usable.includes(table))
  return {
    config: configText(usable),
    models: modelsText(usable),
    notes: [
      ...usable
        .filter(table => ownerOf(table) === undefined)
        .map(({ name }) => `${name}: all users get all rows. Set \`owner\` if they should not.`),
      ...others.map(({ name }) => `${name} is left out: a source needs a primary key of one column.`),
    ],
  }
}

function configText(tables: readonly DescribedTable[]): string {
  const sources = tables.map(table => {
    const [key = ''] = table.primaryKey
    const lines = [
      `name: ${quoted(modelName(table.name))}`,
      `table: ${quoted(table.name)}`,
      `key: ${quoted(key)}`,
      `columns: [${columnsOf(table)
        .map(({ name }) => quoted(name))
        .join(', ')}]`,
      ...optional('owner', ownerOf(table)),
      ...optional('softDelete', named(table, SOFT_DELETES)),
      ...optional('version', named(table, VERSIONS)),
      ...belongsTo(table, tables),
    ]
    return `      sqlSource({\n        db,\n${lines.map(line => `        ${line},\n`).join('')}      }),\n`
  })
  return `/** Written by \`godwit sql init\`, to be edited: which tables and columns devices get, and whose rows. */
export default ({ connectDatabase, sqlFeed, sqlSource }) => {
  const db = sqlFeed({ db: connectDatabase(process.env.DATABASE_URL) })
  return {
    sources: [
${sources.join('')}    ],
  }
}
`
}

const optional = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [`${name}: ${quoted(value)}`]

function belongsTo(table: DescribedTable, tables: readonly DescribedTable[]): readonly string[] {
  const owned = references(table, tables).map(({ name, refersTo = '' }) => `${name}: ${quoted(modelName(refersTo))}`)
  return owned.length === 0 ? [] : [`belongsTo: { ${owned.join(', ')} }`]
}

/** References of delivered columns to tables that have a source. */
const references = (table: DescribedTable, tables: readonly DescribedTable[]): readonly DescribedColumn[] =>
  columnsOf(table).filter(({ refersTo }) => refersTo !== undefined && tables.some(({ name }) => name === refersTo))

function modelsText(tables: readonly DescribedTable[]): string {
  const models = tables.map(table => {
    const owned = references(table, tables)
    const attributes = columnsOf(table).map(
      column => `    ${property(column.name)}: ${builderOf(column, owned.includes(column))},\n`,
    )
    const checks = table.checks.map(check => `// The database refuses what violates ${check.replaceAll('\n', ' ')}.\n`)
    const partition = ownerOf(table) === undefined ? "  partition: 'app',\n" : ''
    return `${checks.join('')}export const ${modelName(table.name)} = defineModel(${quoted(modelName(table.name))}, {\n${partition}  sync: 'incremental',\n  attributes: {\n${attributes.join('')}  },\n})\n`
  })
  return `// Written by \`godwit sql init\`, to be edited.\nimport { defineModel, t } from '@godwit/model'\n\n${models.join('\n')}`
}

const INTEGERS = /^(int2|int4|oid|tinyint|smallint|mediumint|int|integer|year)$/
const FLOATS = /^(float4|float8|float|double|real)$/
const JSONS = /^(json|jsonb)$/

/** The builder of an attribute. Numbers of any length, like int8 and numeric, arrive as text, since a double would round them. */
function builderOf(
  { type, isArray, isNullable, hasDefault, labels, refersTo }: DescribedColumn,
  isReference: boolean,
): string {
  const end = isNullable || hasDefault ? '.optional()' : ''
  if (isArray || JSONS.test(type)) return 't.json().optional()'
  if (isReference) return `t.belongsTo(${quoted(modelName(refersTo ?? ''))})${end}`
  if (labels) return `t.enum([${labels.map(quoted).join(', ')}])${end}`
  if (INTEGERS.test(type)) return `t.integer()${end}`
  if (FLOATS.test(type)) return `t.float()${end}`
  if (/^bool/.test(type)) return `t.boolean()${end}`
  if (type === 'timestamptz') return `t.timestamp()${end}`
  return `t.string()${end}`
}

/** The delivered columns: all but the key, which is the id, and those of the owner and of deletions. */
const columnsOf = (table: DescribedTable): readonly DescribedColumn[] => {
  const left = [table.primaryKey[0], ownerOf(table), named(table, SOFT_DELETES)]
  return table.columns.filter(({ name }) => !left.includes(name))
}

const ownerOf = (table: DescribedTable): string | undefined => {
  const found = table.columns.find(({ name, type }) => OWNERS.includes(name) && /char|text|citext|name/.test(type))
  return found?.name
}
const named = (table: DescribedTable, names: readonly string[]): string | undefined =>
  table.columns.find(({ name }) => names.includes(name))?.name

/** `order_lines` becomes `OrderLine`. */
export function modelName(table: string): string {
  const words = table.split(/[^A-Za-z0-9]+/).filter(word => word !== '')
  const last = words.pop() ?? 'Table'
  return [...words, singular(last)].map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
}

const singular = (word: string): string =>
  /(ss|us|is)$/.test(word)
    ? word
    : word
        .replace(/ies$/, 'y')
        .replace(/(x|ch|sh|ss)es$/, '$1')
        .replace(/([^s])s$/, '$1')

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
const property = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name))
