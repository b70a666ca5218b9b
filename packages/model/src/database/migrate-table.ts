import type { AttributeValue, ObjectId } from '@godwit/protocol'
import { columnAttributes, hasColumn, quote } from '../columns/table-shape.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import { mergeAttributes, NO_ATTRIBUTES } from '../definition/attribute-values.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import type { MigratedObject } from '../definition/migration.js'
import type { DeviceDatabase } from './database.js'
import { ModelRows } from './model-rows.js'
import { declaredColumn, dropIndexes, makeIndexes, makeTable, shapeOf } from './model-tables.js'

/** The rows of a model as they were before its table was migrated. */
export interface OldRows {
  all(): IterableIterator<MigratedObject>
  /** Drops the old table. */
  drop(): void
}

/** Migrates a model's table from one definition to another, inside the caller's transaction. Rows keep ids, versions and order. */
export function migrateTable(database: DeviceDatabase, from: Definition, to: Definition): OldRows {
  dropIndexes(database, from)
  const isRebuilt =
    from.storage !== to.storage || from.partition !== to.partition || movesValues(from, to) || !from.by !== !to.by
  const old = isRebuilt ? rebuild(database, from, to) : addColumns(database, from, to)
  makeIndexes(database, to)
  const reader = new ModelRows(database, { definition: from, table: old })
  return {
    *all() {
      for (const object of objectsOf(database, old)) {
        const row = reader.get(object)
        if (row) yield { id: object, object, attributes: row.attributes }
      }
    },
    drop() {
      if (isRebuilt) database.exec(`DROP TABLE ${old}`)
    },
  }
}

/** Returns true if values have to move: a column is removed or changes its type, or a bag declares attributes that it may already hold. */
function movesValues(from: Definition, to: Definition): boolean {
  const [before, now] = [columnAttributes(from), columnAttributes(to)]
  const kinds = new Map(now.map(attribute => [attribute.name, kindOf(attribute)]))
  return (
    from.typed !== to.typed ||
    before.some(attribute => kinds.get(attribute.name) !== kindOf(attribute)) ||
    (to.storage === 'bag' && now.length > before.length)
  )
}

/** Returns a key that is equal for columns with the same kind of values. */
const kindOf = ({ type, values }: AttributeDefinition): string => JSON.stringify([type, values])

/** Adds columns to the table and returns the table's name, where the old rows still are. */
function addColumns(database: DeviceDatabase, from: Definition, to: Definition): string {
  const { table } = shapeOf(to)
  const added = columnAttributes(to).filter(({ name }) => !hasColumn(from, name))
  for (const attribute of added) database.exec(`ALTER TABLE ${table} ADD COLUMN ${declaredColumn(attribute)}`)
  return table
}

/**
 * Copies rows into a new table and returns the name of the old one. Values of an untyped model are converted if that is lossless; typed models convert
 * what they show.
 */
function rebuild(database: DeviceDatabase, from: Definition, to: Definition): string {
  const old = `${quote(from.partition)}.${quote(`old_${from.name}`)}`
  database.exec(`ALTER TABLE ${shapeOf(from).table} RENAME TO ${quote(`old_${from.name}`)}`)
  makeTable(database, shapeOf(to))
  const [reader, writer] = [
    new ModelRows(database, { definition: from, table: old }),
    new ModelRows(database, shapeOf(to)),
  ]
  for (const object of objectsOf(database, old)) {
    const row = reader.get(object)
    if (!row) continue
    const attributes = to.typed ? row.attributes : convertAttributes(row.attributes, to)
    writer.insert(object, { ...row, attributes })
  }
  return old
}

/** Yields objects in order of creation. It reads them in batches, so that the loop can write to the table. */
function* objectsOf(database: DeviceDatabase, table: string): Generator<ObjectId, void, void> {
  const part = database.prepareForeign(`SELECT seq, object FROM ${table} WHERE seq > ? ORDER BY seq LIMIT 1000`)
  try {
    for (let rows = part.arrays(0); rows.length > 0; rows = part.arrays(rows.at(-1)?.[0] as number))
      for (const [, object] of rows) yield object as ObjectId
  } finally {
    part.free()
  }
}

function convertAttributes(
  attributes: Readonly<Record<string, AttributeValue>>,
  to: Definition,
): Readonly<Record<string, AttributeValue>> {
  const result = mergeAttributes(NO_ATTRIBUTES, attributes) as Record<string, AttributeValue>
  for (const { name, type } of to.attributes.values()) {
    if (Object.hasOwn(result, name)) result[name] = ATTRIBUTE_TYPES[type].migrate(result[name] as AttributeValue)
  }
  return result
}
