import type { AttributeValue } from '@godwit/protocol'
import { ATTRIBUTE_TYPES, type AttributeType } from '../definition/attribute-types.js'
import type { Definition } from '../definition/definition.js'
import { missingValue } from '../definition/missing-value.js'
import type { SqlValue } from '../platform/driver.js'
import { column, hasColumn, REST } from './table-shape.js'

/** Returns the type of an attribute; undeclared ones are text. */
export const typeOf = (definition: Definition, attribute: string): AttributeType =>
  definition.attributes.get(attribute)?.type ?? 'String'

/** Returns true if values compare and sort as numbers; all others compare as text. */
export const isNumeric = (definition: Definition, attribute: string): boolean =>
  ATTRIBUTE_TYPES[typeOf(definition, attribute)].affinity !== 'TEXT'

/** Returns true if SQL, order and select may name the attribute. In an untyped bag any name is allowed; one without values is NULL. */
export const mayBeNamed = (definition: Definition, attribute: string): boolean =>
  (definition.storage === 'bag' && !definition.typed) || attribute === 'object' || definition.attributes.has(attribute)

/** Returns true if the table has the attribute; a table of a higher schema version may lack it. */
export const isStored = (definition: Definition, attribute: string): boolean =>
  definition.attributes.get(attribute)?.column !== 'absent'

/** Returns a text as an SQL string literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Returns the JSON path of an attribute that has no column. */
export const pathOf = (attribute: string): string => literal(`$.${JSON.stringify(attribute)}`)

/**
 * Returns the SQL expression of an attribute. It is the same text in conditions, order and indexes, so that SQLite can use the indexes; declared
 * numbers are numbers, other values are text, and missing values are NULL.
 */
export function valueExpression(definition: Definition, attribute: string): string {
  if (definition.typed) return displayedExpression(definition, attribute)
  if (hasColumn(definition, attribute)) return column(attribute)
  if (!isNumeric(definition, attribute)) return textExpression(definition, attribute)
  return numberOf(member(attribute), typeOf(definition, attribute))
}

/**
 * Returns an attribute as text, for LIKE and text functions.
 * CAST gives it the affinity of a TEXT column, so that `name < 200` in an SQL fragment compares by text.
 */
export function textExpression(definition: Definition, attribute: string): string {
  if (attribute === 'object') return '"object"'
  if (!mayBeNamed(definition, attribute)) return 'NULL'
  if (definition.typed) {
    const displayed = displayedExpression(definition, attribute)
    return isNumeric(definition, attribute) ? `CAST(${plain(displayed)} AS TEXT)` : displayed
  }
  const text = textOf(member(attribute))
  if (!hasColumn(definition, attribute)) return `CAST(${text} AS TEXT)`
  const cell = column(attribute)
  if (!isNumeric(definition, attribute)) return cell
  // SQLite stores text that spells a number as a number in a numeric column.
  return `CAST(CASE WHEN ${REST} IS NULL THEN ${plain(cell)} ELSE ifnull(${text}, ${plain(cell)}) END AS TEXT)`
}

/** Returns the SQL of a typed attribute as rows show it. The default is part of the expression, so that changing it rewrites no rows. */
export function displayedExpression(definition: Definition, attribute: string, row = ''): string {
  const declared = definition.attributes.get(attribute)
  if (!declared) return attribute === 'object' ? '"object"' : 'NULL'
  const missing = missingValue(declared)
  const cell = fittingCell(definition, attribute, row)
  return missing === undefined ? cell : `ifnull(${cell}, ${sqlOf(missing)})`
}

/** Returns the SQL of a typed attribute's column, which is NULL if the value does not match the type. */
export function fittingCell({ attributes }: Definition, attribute: string, row = ''): string {
  const { column: kind, values = [] } = attributes.get(attribute) ?? {}
  const cell = `${row}${column(attribute)}`
  if (kind === 'absent') return 'NULL'
  return kind === 'wider' ? `CASE WHEN ${cell} IN (${values.map(literal).join(', ')}) THEN ${cell} END` : cell
}

/**
 * Returns the column alone if the sought value cannot be a default, so that SQLite compares without `ifnull` for each row. Undefined if that would
 * change the result, or if an index contains the whole expression.
 */
export function bareColumnFor(definition: Definition, attribute: string, sought: SqlValue): string | undefined {
  const declared = definition.typed ? definition.attributes.get(attribute) : undefined
  const missing = declared && missingValue(declared)
  if (missing === undefined || declared?.column !== undefined || isIndexed(definition, attribute)) return undefined
  const displayed = typeof missing === 'number' ? missing : textIn(missing)
  return typeof sought === typeof displayed && sought !== displayed ? column(attribute) : undefined
}

export const isIndexed = ({ indexes }: Definition, attribute: string): boolean =>
  indexes.some(index => index.attributes.includes(attribute))

const textIn = (value: AttributeValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

function sqlOf(value: AttributeValue): string {
  if (typeof value === 'number') return String(value)
  // A NUL character would terminate the statement.
  const text = textIn(value)
  return text.includes('\0') ? `CAST(X'${hexOf(text)}' AS TEXT)` : literal(text)
}

const hexOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** A JSON value within SQL. */
interface JsonExpression {
  readonly type: string
  /** SQL of the value: strings without quotes, numbers unchanged. */
  readonly value: string
  readonly json: string
}

function member(attribute: string): JsonExpression {
  const path = pathOf(attribute)
  return { type: `json_type(${REST}, ${path})`, value: `${REST} ->> ${path}`, json: `${REST} -> ${path}` }
}

const textOf = ({ type, value, json }: JsonExpression): string =>
  `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL ELSE ${json} END`

/** Returns the SQL of a JSON value as a number, if it is one. CAST accepts any text, so the result is compared with the text. */
function numberOf({ type, value, json }: JsonExpression, declared: AttributeType): string {
  const isReal = ATTRIBUTE_TYPES[declared].affinity === 'REAL'
  const number = isReal ? `CAST(${value} AS REAL)` : value
  const isSpelled = `CAST(${value} AS NUMERIC) = ${value}`
  const spelled = `CAST(${value} AS ${isReal ? 'REAL' : 'NUMERIC'})`
  const kinds = `WHEN 'integer' THEN ${number} WHEN 'real' THEN ${number} WHEN 'text' THEN CASE WHEN ${isSpelled} THEN ${spelled} ELSE ${value} END`
  return `CASE ${type} ${kinds} WHEN 'null' THEN NULL ELSE ${json} END`
}

/** Returns the SQL of a number without the fraction of a whole number, as in JSON. */
const plain = (cell: string): string =>
  `CASE WHEN ${cell} = CAST(${cell} AS INTEGER) THEN CAST(${cell} AS INTEGER) ELSE ${cell} END`
