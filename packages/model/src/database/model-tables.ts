import { valueExpression } from '../columns/column-sql.js'
import { column, columnAttributes, quote, REST, type TableShape } from '../columns/table-shape.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import type { DeviceDatabase } from './database.js'

export const tableName = ({ storage, name }: Definition): string => `${storage}_${name}`

export const shapeOf = (definition: Definition): TableShape => ({
  definition,
  table: `${quote(definition.partition)}.${quote(tableName(definition))}`,
})

export function makeTable(database: DeviceDatabase, { definition, table }: TableShape): void {
  const columns = [
    'seq INTEGER PRIMARY KEY',
    'object TEXT NOT NULL UNIQUE',
    'version INTEGER NOT NULL',
    'pass INTEGER NOT NULL',
    'entry INTEGER',
    ...(definition.by ? ['copy INTEGER'] : []),
    ...columnAttributes(definition).map(declaredColumn),
    `${REST} TEXT`,
  ]
  database.exec(`CREATE TABLE ${table} (${columns.join(', ')})`)
}

export const declaredColumn = ({ name, type }: AttributeDefinition): string =>
  `${column(name)} ${ATTRIBUTE_TYPES[type].affinity}`

/** Creates the indexes. Unique ones are not unique in SQLite: they apply only to local writes, and rows from the server are always stored. */
export function makeIndexes(database: DeviceDatabase, definition: Definition): void {
  const schema = quote(definition.partition)
  if (definition.by) makeCopyIndexes(database, schema, definition)
  for (const index of definition.indexes) {
    const terms = index.attributes.map(attribute => valueExpression(definition, attribute))
    const name = quote(freeName(database, schema, `index_${definition.name}_${index.name}`))
    database.exec(`CREATE INDEX ${schema}.${name} ON ${quote(tableName(definition))} (${terms.join(', ')})`)
  }
}

/** Indexes of the rows of a copy, and of visitors, which end with a pass. */
function makeCopyIndexes(database: DeviceDatabase, schema: string, definition: Definition): void {
  for (const [kind, where] of [
    ['copy', ''],
    ['visitor', ' WHERE pass < -1'],
  ] as const) {
    const name = quote(freeName(database, schema, `${kind}_${definition.name}`))
    database.exec(`CREATE INDEX ${schema}.${name} ON ${quote(tableName(definition))} (copy)${where}`)
  }
}

/** Drops all indexes of the table except SQLite's own, which have no SQL text. */
export function dropIndexes(database: DeviceDatabase, definition: Definition): void {
  const schema = quote(definition.partition)
  const made = `SELECT name FROM ${schema}.sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`
  for (const [name] of database.withStatement(made, all => all.arrays(tableName(definition))))
    database.exec(`DROP INDEX ${schema}.${quote(name as string)}`)
}

/** Returns an unused index name. SQLite ignores case, and the names of a model and an index can combine to the name of another pair. */
function freeName(database: DeviceDatabase, schema: string, wanted: string): string {
  const same = `SELECT 1 FROM ${schema}.sqlite_master WHERE name = ? COLLATE NOCASE`
  return database.withStatement(same, taken => {
    let name = wanted
    for (let more = 2; taken.get(name); more++) name = `${wanted}_${more}`
    return name
  })
}
