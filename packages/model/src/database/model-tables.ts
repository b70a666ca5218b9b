import type { AttributeDefinition, Definition, IndexDefinition } from '../definition/definition.js'
import { valueExpression } from '../query/columns.js'
import { affinityOf } from './cell.js'
import type { Database } from './database.js'
import { column, columnAttributes, quote, REST, type TableShape } from './table-shape.js'

const tableName = ({ storage, name }: Definition): string => `${storage}_${name}`

export const shapeOf = (definition: Definition): TableShape => ({
  definition,
  table: `${quote(definition.partition)}.${quote(tableName(definition))}`,
})

export function makeTable(database: Database, { definition, table }: TableShape): void {
  const columns = [
    'seq INTEGER PRIMARY KEY',
    'object TEXT NOT NULL UNIQUE',
    'version INTEGER NOT NULL',
    'pass INTEGER NOT NULL',
    'entry INTEGER',
    ...columnAttributes(definition).map(declaredColumn),
    `${REST} TEXT`,
  ]
  database.exec(`CREATE TABLE ${table} (${columns.join(', ')})`)
}

export const declaredColumn = ({ name, type }: AttributeDefinition): string => `${column(name)} ${affinityOf(type)}`

/** Unique ones too are plain indexes: they bind local saves only, what the server sends always goes in. */
export function makeIndexes(database: Database, definition: Definition): void {
  for (const index of definition.indexes) {
    const terms = index.attributes.map(attribute => valueExpression(definition, attribute))
    database.exec(
      `CREATE INDEX ${indexName(definition, index)} ON ${quote(tableName(definition))} (${terms.join(', ')})`,
    )
  }
}

export function dropIndexes(database: Database, definition: Definition): void {
  for (const index of definition.indexes) database.exec(`DROP INDEX IF EXISTS ${indexName(definition, index)}`)
}

const indexName = ({ partition, name }: Definition, index: IndexDefinition): string =>
  `${quote(partition)}.${quote(`index_${name}_${index.name}`)}`
