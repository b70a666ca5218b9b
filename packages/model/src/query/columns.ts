import type { AttributeValue } from '@godwit/protocol'
import type { SqlValue } from '../database/driver.js'
import { column, hasColumn, REST } from '../database/table-shape.js'
import { ATTRIBUTE_TYPES, type AttributeType } from '../definition/attribute-types.js'
import type { Definition } from '../definition/definition.js'
import { missingValue } from '../definition/missing-value.js'

/** What is undeclared is text. */
export const typeOf = (definition: Definition, attribute: string): AttributeType =>
  definition.attributes.get(attribute)?.type ?? 'String'

/** Declared numbers compare and sort as numbers, everything else by its text. */
export const isNumeric = (definition: Definition, attribute: string): boolean =>
  ATTRIBUTE_TYPES[typeOf(definition, attribute)].affinity !== 'TEXT'

/** Whether SQL, order and select may name it. An untyped bag may have any attribute; one that it never had is NULL. */
export const mayBeNamed = (definition: Definition, attribute: string): boolean =>
  (definition.storage === 'bag' && !definition.typed) || attribute === 'object' || definition.attributes.has(attribute)

/** Whether the table has it: one of a higher schema version may not. */
export const isStored = (definition: Definition, attribute: string): boolean =>
  definition.attributes.get(attribute)?.column !== 'absent'

/** A string literal of SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Where the value of an attribute lies in the JSON of what has no column. */
export const pathOf = (attribute: string): string => literal(`$.${JSON.stringify(attribute)}`)

/**
 * The SQL expression of an attribute, the same text in conditions, order and indexes, as SQLite requires. Declared numbers are numbers, all
 * other values their text, missing ones NULL.
 */
export function valueExpression(definition: Definition, attribute: string): string {
  if (definition.typed) return shownExpression(definition, attribute)
  if (hasColumn(definition, attribute)) return column(attribute)
  if (!isNumeric(definition, attribute)) return textExpression(definition, attribute)
  return numberOf(member(attribute), typeOf(definition, attribute))
}

/**
 * An attribute as text, for LIKE and the functions on text.
 * CAST gives it the affinity of a TEXT column, so that `name < 200` in an SQL fragment compares by text.
 */
export function textExpression(definition: Definition, attribute: string): string {
  if (attribute === 'object') return '"object"'
  if (!mayBeNamed(definition, attribute)) return 'NULL'
  if (definition.typed) {
    const shown = shownExpression(definition, attribute)
    return isNumeric(definition, attribute) ? `CAST(${plain(shown)} AS TEXT)` : shown
  }
  const text = textOf(member(attribute))
  if (!hasColumn(definition, attribute)) return `CAST(${text} AS TEXT)`
  const cell = column(attribute)
  if (!isNumeric(definition, attribute)) return cell
  // A text that spells a number is one in its column.
  return `CAST(CASE WHEN ${REST} IS NULL THEN ${plain(cell)} ELSE ifnull(${text}, ${plain(cell)}) END AS TEXT)`
}

/** A typed attribute as rows show it. The default is in the expression, so that another one changes no row. */
export function shownExpression(definition: Definition, attribute: string, row = ''): string {
  const declared = definition.attributes.get(attribute)
  if (!declared) return attribute === 'object' ? '"object"' : 'NULL'
  const missing = missingValue(declared)
  const cell = fittingCell(definition, attribute, row)
  return missing === undefined ? cell : `ifnull(${cell}, ${sqlOf(missing)})`
}

/** The column of a typed attribute: NULL where its value does not fit. */
export function fittingCell({ attributes }: Definition, attribute: string, row = ''): string {
  const { column: kind, values = [] } = attributes.get(attribute) ?? {}
  const cell = `${row}${column(attribute)}`
  if (kind === 'absent') return 'NULL'
  return kind === 'wider' ? `CASE WHEN ${cell} IN (${values.map(literal).join(', ')}) THEN ${cell} END` : cell
}

/**
 * The column alone, where a value is looked for that no row shows for want of one: SQLite then compares without `ifnull` for each row.
 * Undefined where the two are not the same, or where an index has the whole expression.
 */
export function bareColumnFor(definition: Definition, attribute: string, sought: SqlValue): string | undefined {
  const declared = definition.typed ? definition.attributes.get(attribute) : undefined
  const missing = declared && missingValue(declared)
  if (missing === undefined || declared?.column !== undefined || isIndexed(definition, attribute)) return undefined
  const shown = typeof missing === 'number' ? missing : textIn(missing)
  return typeof sought === typeof shown && sought !== shown ? column(attribute) : undefined
}

export const isIndexed = ({ indexes }: Definition, attribute: string): boolean =>
  indexes.some(index => index.attributes.includes(attribute))

const textIn = (value: AttributeValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

function sqlOf(value: AttributeValue): string {
  if (typeof value === 'number') return String(value)
  // NUL ends the text of a statement.
  const text = textIn(value)
  return text.includes('\0') ? `CAST(X'${hexOf(text)}' AS TEXT)` : literal(text)
}

const hexOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** A JSON value within SQL. */
interface JsonExpression {
  readonly type: string
  /** A string without its quotes, a number as such. */
  readonly value: string
  readonly json: string
}

function member(attribute: string): JsonExpression {
  const path = pathOf(attribute)
  return { type: `json_type(${REST}, ${path})`, value: `${REST} ->> ${path}`, json: `${REST} -> ${path}` }
}

const textOf = ({ type, value, json }: JsonExpression): string =>
  `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL ELSE ${json} END`

/** CAST alone would make 0 of any text; compared with the text, it tells whether the text spells a number. */
function numberOf({ type, value, json }: JsonExpression, declared: AttributeType): string {
  const isReal = ATTRIBUTE_TYPES[declared].affinity === 'REAL'
  const number = isReal ? `CAST(${value} AS REAL)` : value
  const isSpelled = `CAST(${value} AS NUMERIC) = ${value}`
  const spelled = `CAST(${value} AS ${isReal ? 'REAL' : 'NUMERIC'})`
  const kinds = `WHEN 'integer' THEN ${number} WHEN 'real' THEN ${number} WHEN 'text' THEN CASE WHEN ${isSpelled} THEN ${spelled} ELSE ${value} END`
  return `CASE ${type} ${kinds} WHEN 'null' THEN NULL ELSE ${json} END`
}

/** A number in its column; whole numbers without a fraction, as JSON has them. */
const plain = (cell: string): string =>
  `CASE WHEN ${cell} = CAST(${cell} AS INTEGER) THEN CAST(${cell} AS INTEGER) ELSE ${cell} END`
