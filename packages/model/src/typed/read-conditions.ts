import { type AttributeValue, SyncError } from '@godwit/protocol'
import type { Comparability } from '../definition/attribute-type.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { AttributeDefinition } from '../definition/definition.js'
import { hasMembers } from '../definition/plain-json.js'
import { valueText } from '../definition/value-text.js'
import type { Condition, Operator } from '../query/query-tree.js'
import { withServerNames } from '../query/server-names.js'
import { fitsType } from '../records/fit.js'
import { storedValueOf } from './attribute-definition.js'
import type { NameMap } from './name-map.js'

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  ['=', '<>', '<', '<=', '>', '>=', 'like', 'in', 'not in'].map(name => [name, name.toUpperCase() as Operator]),
)
const EQUALITY = ['=', '<>', 'in', 'not in']
const ORDERED = [...EQUALITY, '<', '<=', '>', '>=']
const OPERATORS_OF: { readonly [C in Comparability]: readonly string[] } = {
  text: [...ORDERED, 'like'],
  ordered: ORDERED,
  equality: EQUALITY,
  none: [],
}

/** The definition of `id` for conditions. */
export const ID: AttributeDefinition = {
  name: 'object',
  appName: 'id',
  type: 'String',
  option: null,
  presence: 'required',
}

/** Converts a map of conditions. Throws `query_invalid`, also for an undefined value, which must not match everything. */
export function readConditions(nameMap: NameMap, given: unknown): Condition {
  if (!hasMembers(given)) throw invalid(`${nameMap.model}: expected a map of conditions, got ${valueText(given)}`)
  const parts = Object.entries(given).map(([name, value]) => readMember(nameMap, name, value))
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'and', parts }
}

function readMember(nameMap: NameMap, name: string, value: unknown): Condition {
  if (value === undefined)
    throw invalid(
      `${nameMap.model}.${name}: expected a value to compare with, got undefined. Leave the condition out, or use null`,
    )
  if (name === 'or' || name === 'and') return { kind: name, parts: listOf(nameMap, name, value) }
  if (name === 'sql') return readSql(nameMap, value)
  const relation = nameMap.relations.get(name)
  if (relation)
    return { kind: 'related', ...relation, condition: readConditions(nameMap.edgeOf(relation.model), value) }
  const attribute = name === 'id' ? ID : nameMap.attributes.get(name)
  if (attribute) return readComparisons(nameMap, attribute, value)
  throw unknownName(nameMap, name)
}

/** The error for an unknown name in an order, a selection or relations. */
export const notAmong = (known: readonly string[], { model }: NameMap, option: string, name: unknown): SyncError =>
  new SyncError('query_invalid', `${model}, ${option}: expected one of ${known.join(', ')}, got ${valueText(name)}.`, {
    details: { known },
  })

function unknownName(nameMap: NameMap, name: string): SyncError {
  const known = ['id', ...nameMap.attributes.keys(), ...nameMap.relations.keys()]
  return new SyncError(
    'query_invalid',
    `${nameMap.model} has no attribute ${JSON.stringify(name)}: expected one of ${known.join(', ')}.`,
    { details: { attribute: name, known } },
  )
}

function listOf(nameMap: NameMap, name: string, value: unknown): readonly Condition[] {
  if (Array.isArray(value)) return value.map(part => readConditions(nameMap, part))
  throw invalid(`${nameMap.model}, ${name}: expected a list of conditions, got ${valueText(value)}`)
}

function readSql(nameMap: NameMap, value: unknown): Condition {
  const [sql, ...values] = Array.isArray(value) ? (value as readonly unknown[]) : []
  if (typeof sql !== 'string')
    throw invalid(`${nameMap.model}, sql: expected [expression, ...values], got ${valueText(value)}`)
  const renamed = withServerNames(nameMap.definition, sql)
  return { kind: 'sql', sql: renamed, values: values.map(one => boundOf(nameMap, one)), app: true }
}

function boundOf({ model }: NameMap, value: unknown): AttributeValue {
  const bound = storedValueOf(value)
  if (bound === null || ['string', 'number', 'boolean'].includes(typeof bound)) return bound as AttributeValue
  throw invalid(`${model}, sql: expected text, a number, a Boolean, null or a Date, got ${valueText(value)}`)
}

function readComparisons(nameMap: NameMap, attribute: AttributeDefinition, value: unknown): Condition {
  if (ATTRIBUTE_TYPES[attribute.type].comparability === 'none')
    throw invalid(`${nameOf(nameMap, attribute)}: expected an attribute that can be compared; use sql for JSON`)
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return compare(nameMap, attribute, '=', value)
  const operators = Object.entries(value)
  if (Array.isArray(value) || operators.length === 0)
    throw invalid(
      `${nameOf(nameMap, attribute)}: expected a value or operators, such as { in: [...] }, got ${valueText(value)}`,
    )
  const parts = operators.map(([operator, operand]) => compare(nameMap, attribute, operator, operand))
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'and', parts }
}

function compare(nameMap: NameMap, attribute: AttributeDefinition, name: string, given: unknown): Condition {
  const [operator, allowed] = [OPERATORS.get(name), operatorsOf(nameMap, attribute)]
  if (operator === undefined || !allowed.includes(name))
    throw invalid(`${nameOf(nameMap, attribute)}: expected one of ${allowed.join(', ')}, got ${JSON.stringify(name)}`)
  return { kind: 'compare', attribute: attribute.name, operator, value: operandOf(nameMap, attribute, name, given) }
}

/** Returns the operators for an attribute. Ids have none for order, which would be meaningless. */
function operatorsOf({ definition }: NameMap, { name, type }: AttributeDefinition): readonly string[] {
  const isId = name === 'object' || definition.belongsTo.has(name)
  return OPERATORS_OF[isId ? 'equality' : ATTRIBUTE_TYPES[type].comparability]
}

function operandOf(nameMap: NameMap, attribute: AttributeDefinition, operator: string, given: unknown): AttributeValue {
  if (operator !== 'in' && operator !== 'not in') {
    const mayBeNull = attribute.presence === 'optional' && (operator === '=' || operator === '<>')
    return given === null && mayBeNull ? null : toStoredValue(nameMap, attribute, given)
  }
  if (Array.isArray(given)) return given.map(one => toStoredValue(nameMap, attribute, one))
  throw invalid(`${nameOf(nameMap, attribute)} ${operator}: expected a list of values, got ${valueText(given)}`)
}

function toStoredValue(nameMap: NameMap, attribute: AttributeDefinition, given: unknown): AttributeValue {
  const value = storedValueOf(given) as AttributeValue
  if (value !== null && value !== undefined && fitsType(attribute, value)) return value
  const type = attribute.values ? `one of ${attribute.values.join(', ')}` : `a value of the type ${attribute.type}`
  throw invalid(`${nameOf(nameMap, attribute)}: expected ${type}, got ${valueText(given)}`)
}

const nameOf = ({ model }: NameMap, { appName, name }: AttributeDefinition): string => `${model}.${appName ?? name}`

const invalid = (message: string): SyncError => new SyncError('query_invalid', `${message}.`)
