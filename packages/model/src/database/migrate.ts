import type { AttributeValue } from '@godwit/protocol'
import type { AttributeType, Definition } from '../definition/definition.js'
import { merged, NO_ATTRIBUTES } from './attributes.js'
import type { Database } from './database.js'
import { ModelRows } from './model-rows.js'
import { dropIndexes, fixedColumn, makeIndexes, makeTable, shapeOf } from './model-tables.js'
import { quote } from './table-shape.js'

/** Brings a model's table from one definition to another, inside the caller's transaction. Rows keep ids, versions and order. */
export function migrateTable(database: Database, from: Definition, to: Definition): void {
  dropIndexes(database, from)
  if (from.storage !== to.storage || from.partition !== to.partition || hasLostColumns(from, to))
    rebuild(database, from, to)
  else addColumns(database, from, to)
  makeIndexes(database, to)
}

const hasLostColumns = (from: Definition, to: Definition): boolean =>
  to.storage === 'fixed' &&
  [...from.attributes.values()].some(({ name, type }) => to.attributes.get(name)?.type !== type)

function addColumns(database: Database, from: Definition, to: Definition): void {
  if (to.storage === 'bag') return
  for (const attribute of to.attributes.values()) {
    if (from.attributes.has(attribute.name)) continue
    database.exec(`ALTER TABLE ${shapeOf(to).table} ADD COLUMN ${fixedColumn(attribute)}`)
  }
}

/** Row by row into a new table: what has another type is converted where that loses nothing. */
function rebuild(database: Database, from: Definition, to: Definition): void {
  const old = `${quote(from.partition)}.${quote(`old_${from.name}`)}`
  database.exec(`ALTER TABLE ${shapeOf(from).table} RENAME TO ${quote(`old_${from.name}`)}`)
  makeTable(database, shapeOf(to))
  const [reader, writer] = [
    new ModelRows(database, { definition: from, table: old }),
    new ModelRows(database, shapeOf(to)),
  ]
  const objects = database.prepare(`SELECT object FROM ${old} WHERE seq > ? ORDER BY seq LIMIT 1000`)
  const last = database.prepare(`SELECT seq FROM ${old} WHERE object = ?`)
  for (let after = 0, part = objects.arrays(after); part.length > 0; part = objects.arrays(after)) {
    for (const [object] of part) {
      const row = reader.get(object as string)
      if (row) writer.insert(object as string, { ...row, attributes: convertedAll(row.attributes, to) })
    }
    after = last.get(part.at(-1)?.[0] as string)?.['seq'] as number
  }
  database.exec(`DROP TABLE ${old}`)
}

function convertedAll(
  attributes: Readonly<Record<string, AttributeValue>>,
  to: Definition,
): Readonly<Record<string, AttributeValue>> {
  const result = merged(NO_ATTRIBUTES, attributes) as Record<string, AttributeValue>
  for (const { name, type } of to.attributes.values()) {
    if (Object.hasOwn(result, name)) result[name] = converted(result[name] as AttributeValue, type)
  }
  return result
}

/** As the type where the value spells one of it, else as it is. */
export function converted(value: AttributeValue, type: AttributeType): AttributeValue {
  if (type === 'Integer' || type === 'Float') return asNumber(value, type)
  if (type === 'Boolean')
    return value === 'true' || value === 1 ? true : value === 'false' || value === 0 ? false : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

function asNumber(value: AttributeValue, type: 'Integer' | 'Float'): AttributeValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim())) return value
  const number = Number(value)
  return Number.isFinite(number) && (type === 'Float' || Number.isSafeInteger(number)) ? number : value
}
