import { type Attributes, type ObjectId, SyncError } from '@godwit/protocol'
import { valueIn } from '../database/attributes.js'
import { encodeCell } from '../database/cell.js'
import type { Database } from '../database/database.js'
import type { SqlValue } from '../database/driver.js'
import { indexTerm } from '../database/model-tables.js'
import type { Model } from '../database/models.js'
import { isNumeric } from '../query/columns.js'

/** Unique indexes bind local saves. An attribute that is absent is like no other. */
export function checkUnique(
  database: Database,
  { definition, shape }: Model,
  object: ObjectId,
  attributes: Attributes,
): void {
  for (const index of definition.indexes) {
    if (!index.unique) continue
    const values = index.attributes.map(name => indexed(definition, attributes, name, object))
    if (values.some(value => value === null)) continue
    const terms = index.attributes.map(name => `${indexTerm(definition, name)} = ?`)
    const sql = `SELECT object FROM ${shape.table} WHERE ${terms.join(' AND ')} AND object <> ? LIMIT 1`
    const twin = database.prepare(sql).get(...values, object)
    if (twin) throw notUnique(definition.name, index.name, index.attributes, twin['object'] as string)
  }
}

/** The value as the index holds it. */
function indexed(definition: Model['definition'], attributes: Attributes, name: string, object: ObjectId): SqlValue {
  if (name === 'object') return object
  const value = valueIn(attributes, name)
  if (definition.storage === 'fixed') return encodeCell(value, definition.attributes.get(name)?.type ?? 'String')
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || (typeof value === 'number' && isNumeric(definition, name))) return value
  return JSON.stringify(value)
}

function notUnique(model: string, index: string, attributes: readonly string[], twin: ObjectId): SyncError {
  const message = `${model} ${twin} has these values of ${attributes.join(', ')} already, and the index ${index} is unique. Nothing was stored.`
  return new SyncError('not_unique', message, { details: { index, object: twin } })
}
