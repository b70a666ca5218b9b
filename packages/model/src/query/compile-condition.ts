import type { AttributeValue } from '@godwit/protocol'
import {
  bareColumnFor,
  fittingCell,
  isIndexed,
  isNumeric,
  mayBeNamed,
  pathOf,
  textExpression,
  valueExpression,
} from '../columns/column-sql.js'
import { hasColumn, REST } from '../columns/table-shape.js'
import type { Definition } from '../definition/definition.js'
import { spellsNumber } from '../definition/number-text.js'
import type { SqlValue } from '../platform/driver.js'
import type { CompiledQuery } from './compiled-query.js'
import { linkedId, type TableScope } from './joins.js'
import { mergeConditions, type RangeCondition } from './merge-conditions.js'
import { operandFor, textOf } from './operand.js'
import { prefixRanges } from './prefix-ranges.js'
import type { Comparison, Condition, Func, RelatedCondition } from './query-tree.js'
import { compileFragment } from './sql-fragment.js'
import { unknownAttribute } from './unknown-attribute.js'

/** Compiles a condition to an SQL expression. `scope` contains the table it applies to and the tables it can refer to. */
export function compileCondition(definition: Definition, condition: Condition, scope: TableScope): CompiledQuery {
  if (condition.kind === 'compare') return comparison(definition, condition)
  if (condition.kind === 'related') return compileRelated(definition, condition, scope)
  if (condition.kind === 'stored')
    return { sql: `${fittingCell(definition, condition.attribute)} IS NOT NULL`, values: [] }
  if (condition.kind === 'sql') {
    const { sql, values } = compileFragment(definition, condition.sql, condition.values, condition.app)
    return { sql: `(${sql})`, values }
  }
  if (condition.parts.length === 0) return { sql: condition.kind === 'and' ? 'TRUE' : 'FALSE', values: [] }
  const parts = mergeConditions(definition, condition).map(part => compilePart(definition, part, scope))
  return {
    sql: joinConditions(
      parts.map(({ sql }) => sql),
      condition.kind === 'and' ? ' AND ' : ' OR ',
    ),
    values: parts.flatMap(({ values }) => values),
  }
}

const compilePart = (definition: Definition, part: Condition | RangeCondition, scope: TableScope): CompiledQuery =>
  part.kind === 'range' ? range(definition, part) : compileCondition(definition, part, scope)

/** Compiles a condition on a related object. Of this table it uses only the attribute that holds the id. */
function compileRelated(
  definition: Definition,
  { attribute, model, condition }: RelatedCondition,
  { table, related: to }: TableScope,
): CompiledQuery {
  const { shape, alias } = to(model)
  const linked = linkedId(fittingCell(definition, attribute, `${table}.`), shape)
  const from = `EXISTS (SELECT 1 FROM ${shape.table} AS ${alias} WHERE ${alias}."object" = ${linked}`
  if (condition === undefined) return { sql: `${from})`, values: [] }
  const { sql, values } = compileCondition(shape.definition, condition, { table: alias, related: to })
  return { sql: `${from} AND ${sql})`, values }
}

/** Compiles a range so that the attribute is evaluated once for both bounds. */
function range(definition: Definition, { attribute, from, to, isWithin }: RangeCondition): CompiledQuery {
  const operands = [from, to].map(value => operandFor(definition, attribute, value))
  return { sql: `${valueExpression(definition, attribute)} ${isWithin ? '' : 'NOT '}BETWEEN ? AND ?`, values: operands }
}

const MAX_JOINED_PARTS = 200

/** Joins conditions as a balanced tree, because SQLite limits the depth of expressions. */
export function joinConditions(parts: readonly string[], by: string): string {
  if (parts.length <= MAX_JOINED_PARTS) return `(${parts.join(by)})`
  const half = parts.length >> 1
  return `(${joinConditions(parts.slice(0, half), by)}${by}${joinConditions(parts.slice(half), by)})`
}

function comparison(definition: Definition, { attribute, operator, value, func }: Comparison): CompiledQuery {
  if (definition.typed && !mayBeNamed(definition, attribute)) throw unknownAttribute(definition, attribute)
  const expression = expressionOf(definition, { attribute, operator, func })
  const operand = (one: AttributeValue) =>
    func === undefined ? operandFor(definition, attribute, one) : resultOperand(func, one)
  if (Array.isArray(value) && (operator === 'IN' || operator === 'NOT IN'))
    return membership(expression, operator === 'IN', value.map(operand))
  if (value === null) return { sql: `${expression} IS ${operator === '<>' ? 'NOT ' : ''}NULL`, values: [] }
  if (operator === 'LIKE') {
    const pattern = textOf(value) ?? ''
    const ranges = func === undefined ? prefixRanges(definition, attribute, pattern) : undefined
    if (!ranges) return { sql: `${expression} LIKE ?`, values: [pattern] }
    return { sql: `(${ranges.sql} AND ${expression} LIKE ?)`, values: [...ranges.values, pattern] }
  }
  if (operator === '=' && func === undefined) {
    if (isScanned(definition, attribute)) return sameMember(attribute, textOf(value) ?? '')
    const cell = bareColumnFor(definition, attribute, operand(value))
    if (cell !== undefined) return { sql: `${cell} = ?`, values: [operand(value)] }
  }
  return { sql: `${expression} ${operator} ?`, values: [operand(value)] }
}

/** Returns the expression to compare: text for LIKE and text functions, otherwise the value. */
function expressionOf(
  definition: Definition,
  { attribute, operator, func }: Pick<Comparison, 'attribute' | 'operator'> & { readonly func: Func | undefined },
): string {
  const isText = operator === 'LIKE' || (func !== undefined && func !== 'ABS')
  const expression = isText ? textExpression(definition, attribute) : valueExpression(definition, attribute)
  return func === undefined ? expression : `${func}(${expression})`
}

/** Compiles IN. The list is bound as one value, so that its length does not change the statement; `null` in it means missing. */
function membership(expression: string, isIn: boolean, operands: readonly SqlValue[]): CompiledQuery {
  const values = [
    `[${operands
      .filter(operand => operand !== null)
      .map(sqlTextOf)
      .join()}]`,
  ]
  const list = 'IN (SELECT value FROM json_each(?))'
  if (!isIn) return { sql: `(${expression} NOT ${list} AND ${expression} IS NOT NULL)`, values }
  const missing = operands.includes(null) ? ` OR ${expression} IS NULL` : ''
  return { sql: `(${expression} ${list}${missing})`, values }
}

/** Converts an operand to JSON text. Large numbers are written with all digits, because SQLite reads them exactly. */
const sqlTextOf = (operand: SqlValue): string =>
  typeof operand === 'number' && Number.isInteger(operand) ? String(BigInt(operand)) : JSON.stringify(operand)

/** Converts the operand of a function: LENGTH and ABS return numbers, the others text. */
function resultOperand(func: Func, value: AttributeValue): SqlValue {
  if (func !== 'LENGTH' && func !== 'ABS') return textOf(value)
  return typeof value === 'number' || (typeof value === 'string' && spellsNumber(value)) ? Number(value) : textOf(value)
}

/** Returns true if SQLite must read the JSON of every row for an attribute that compares as text, which must therefore be cheap. */
const isScanned = (definition: Definition, attribute: string): boolean =>
  attribute !== 'object' &&
  mayBeNamed(definition, attribute) &&
  !hasColumn(definition, attribute) &&
  !isNumeric(definition, attribute) &&
  !isIndexed(definition, attribute)

/** Returns true if a JSON number, Boolean, list or object can also have this text. */
const spellsJson = (text: string): boolean => /^(true$|false$|-?\d|[[{])/.test(text)

/** Compiles equality that extracts the value only if the row's JSON contains the member as `JSON.stringify` writes it. */
function sameMember(attribute: string, text: string): CompiledQuery {
  const string = JSON.stringify(text)
  const [other, has] = spellsJson(text) ? [text, ANY] : [string, globOf(`${JSON.stringify(attribute)}:${string}`)]
  const sql = `(${REST} GLOB ? AND ${REST} -> ${pathOf(attribute)} IN (?, ?))`
  return { sql, values: [has.length > MAX_GLOB_LENGTH ? ANY : has, string, other] }
}

/** Characters. SQLite limits patterns to 50,000 bytes. */
const MAX_GLOB_LENGTH = 10_000

const ANY = '*'

// Omits the first quote, because SQLite searches for the pattern's first character, which should be rare.
const globOf = (json: string): string => `*${json.slice(1).replace(/[*?[]/g, '[$&]')}*`
