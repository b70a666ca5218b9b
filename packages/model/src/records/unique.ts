import { type Attributes, type AttributeValue, type ObjectId, SyncError } from '@godwit/protocol'
import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel } from '../database/open-models.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import { valueIn } from '../definition/attribute-values.js'
import type { Definition, IndexDefinition } from '../definition/definition.js'
import { compileQuery } from '../query/compile.js'
import type { Condition } from '../query/query-tree.js'

interface SavedObject {
  readonly object: ObjectId
  readonly attributes: Attributes
  /** Attributes that differ from the stored object. */
  readonly changed: Attributes
}

/** Checks unique indexes for local writes. An absent attribute equals nothing, and writes that keep an existing violation are allowed. */
export function checkUnique(
  database: DeviceDatabase,
  model: OpenModel,
  { object, attributes, changed }: SavedObject,
): void {
  for (const index of model.definition.indexes) {
    const isMeant = index.unique && index.attributes.some(name => Object.hasOwn(changed, name))
    const duplicate = isMeant ? duplicateOf(database, model, index, object, attributes) : undefined
    if (duplicate !== undefined) throw notUnique(model.name, index, duplicate)
  }
}

/** Returns another object with equal values; equality is that of queries, so an index serves both. */
export function duplicateOf(
  database: DeviceDatabase,
  { shape }: OpenModel,
  index: IndexDefinition,
  object: ObjectId,
  attributes: Attributes,
): ObjectId | undefined {
  const parts: Condition[] = []
  for (const attribute of index.attributes) {
    const value = attribute === 'object' ? object : storedValue(shape.definition, attribute, attributes)
    if (value === undefined || value === null) return undefined
    parts.push({ kind: 'compare', attribute, operator: '=', value }, ...isStored(shape.definition, attribute))
  }
  const { sql, values } = compileQuery({ condition: { kind: 'and', parts }, order: [], limit: 2 }, shape)
  const rows = database.prepare(sql).arrays(...values)
  return rows.map(row => row[0] as ObjectId).find(other => other !== object)
}

/** Returns the value as queries compare it; null for one that does not match the type of a typed attribute. */
function storedValue(
  { typed, attributes: declared }: Definition,
  name: string,
  attributes: Attributes,
): AttributeValue | undefined {
  const [value, attribute] = [valueIn(attributes, name) ?? null, declared.get(name)]
  if (!typed || !attribute || value === null) return value
  return ATTRIBUTE_TYPES[attribute.type].typedCell(attribute).encode(value) as AttributeValue
}

/** Returns the condition that a value is stored, because a default displayed for a missing value equals nothing. */
const isStored = ({ typed, attributes }: Definition, attribute: string): readonly Condition[] =>
  typed && attributes.has(attribute) ? [{ kind: 'stored', attribute }] : []

function notUnique(model: string, { name, attributes }: IndexDefinition, duplicate: ObjectId): SyncError {
  const message = `${model} ${duplicate} has these values of ${attributes.join(', ')} already, and the index ${name} is unique. Nothing was stored.`
  return new SyncError('not_unique', message, { details: { index: name, object: duplicate } })
}
