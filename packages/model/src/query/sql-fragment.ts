import type { AttributeValue } from '@godwit/protocol'
import { isNumeric, literal, mayBeNamed, textExpression, valueExpression } from '../columns/column-sql.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { Definition } from '../definition/definition.js'
import { spellsNumber } from '../definition/number-text.js'
import type { SqlValue } from '../platform/driver.js'
import type { CompiledQuery } from './compiled-query.js'
import { operandFor, textOf } from './operand.js'
import { invalidSql, is, isPlaced, SCALAR_FUNCTIONS, type Token, tokensOf } from './tokens.js'
import { unknownAttribute } from './unknown-attribute.js'

const KEYWORDS: ReadonlySet<string> = new Set(
  'AND OR NOT NULL IS IN LIKE GLOB BETWEEN CASE WHEN THEN ELSE END ESCAPE ISNULL NOTNULL COLLATE DISTINCT FROM TRUE FALSE AS'.split(
    ' ',
  ),
)

/** Keywords of other statements. An attribute with such a name has to be quoted. */
const FOREIGN: ReadonlySet<string> = new Set(
  'SELECT WITH VALUES EXISTS UNION INTERSECT EXCEPT PRAGMA ATTACH DETACH INSERT UPDATE DELETE REPLACE DROP CREATE ALTER VACUUM RAISE'.split(
    ' ',
  ),
)

const COMPARING = ['=', '==', '<>', '!=', '<', '<=', '>', '>=', 'IS', 'IN', 'BETWEEN']
const ENDING = ['OR', 'AND', 'NOT', 'CASE', 'WHEN', 'THEN', 'ELSE', 'END']

/**
 * Compiles a condition written in SQL, in which names are attributes, each `?` is a value, and a list is bound in `IN (?)`. Throws `query_invalid`
 * for anything but one expression: statements, subselects, unknown functions, unknown tokens, a wrong number of values.
 */
export function compileFragment(
  definition: Definition,
  sql: string,
  given: readonly AttributeValue[],
  isApp = false,
): CompiledQuery {
  const tokens = tokensOf(sql)
  if (tokens.length === 0) throw invalidSql(sql, 'it is empty')
  const values = isApp ? given.map(asNumber) : given
  const compared = comparedAttributes(definition, tokens).map(name =>
    isApp && appSqlOf(definition, name) ? undefined : name,
  )
  const bound: SqlValue[] = []
  let next = 0
  const parts = tokens.map((token, at) => {
    if (token.kind !== 'placeholder') return tokenSql(definition, { sql, tokens, at, isApp, compared: compared[at] })
    if (next === values.length) throw invalidSql(sql, `it has more ? than the ${values.length} values that came`)
    const operands = operandsOf(definition, compared[at], values[next++] as AttributeValue)
    bound.push(...operands)
    return operands.length === 0 ? 'NULL' : operands.map(() => '?').join(', ')
  })
  if (next < values.length) throw invalidSql(sql, `it has ${next} ? for ${values.length} values`)
  return { sql: parts.join(' '), values: bound }
}

interface FragmentPosition {
  readonly sql: string
  readonly tokens: readonly Token[]
  readonly at: number
  /** True for SQL of a typed app, where a Boolean is 1 or 0. */
  readonly isApp: boolean
  /** The attribute on the other side of the comparison. */
  readonly compared: string | undefined
}

function tokenSql(definition: Definition, place: FragmentPosition): string {
  const { sql, tokens, at, compared } = place
  const token = tokens[at] as Token
  if (is(token, ';', '.')) throw invalidSql(sql, `${JSON.stringify(token.text)} is not allowed in it`)
  if (isAttribute(tokens, at)) return attributeSql(definition, place)
  if (isPlaced(tokens, at)) return token.text
  if (token.kind === 'word') return wordSql(sql, token.text.toUpperCase(), is(tokens[at + 1], '('), compared)
  const isNumber = token.kind === 'string' && compared !== undefined && isNumeric(definition, compared)
  return isNumber && spellsNumber(token.text.slice(1, -1)) ? token.text.slice(1, -1).trim() : token.text
}

function wordSql(sql: string, word: string, isCalled: boolean, compared: string | undefined): string {
  if (compared !== undefined && (word === 'TRUE' || word === 'FALSE')) return literal(word.toLowerCase())
  if (KEYWORDS.has(word) || (isCalled && SCALAR_FUNCTIONS.has(word))) return word
  if (isCalled) throw invalidSql(sql, `the function ${word} is not one of ${[...SCALAR_FUNCTIONS].join(', ')}`)
  throw invalidSql(sql, `${word} is not allowed in it; an attribute of that name stands in double quotes`)
}

/** Returns the expression of an attribute: text for LIKE and text functions, otherwise the value. */
function attributeSql(definition: Definition, { sql, tokens, at, isApp }: FragmentPosition): string {
  const attribute = attributeName(definition, (tokens[at] as Token).text)
  if (!mayBeNamed(definition, attribute))
    throw unknownAttribute(definition, attribute, ` The SQL was ${JSON.stringify(sql)}.`)
  const appSql = isApp ? appSqlOf(definition, attribute) : undefined
  if (appSql) return appSql(valueExpression(definition, attribute))
  const isCalledUpon = is(tokens[at - 1], '(') && is(tokens[at - 2], ...TEXT_FUNCTIONS)
  const isLiked =
    is(tokens[at + 1], 'LIKE', 'GLOB') || (is(tokens[at + 1], 'NOT') && is(tokens[at + 2], 'LIKE', 'GLOB'))
  const isJoined = is(tokens[at - 1], '||') || is(tokens[at + 1], '||')
  const expression = isCalledUpon || isLiked || isJoined ? textExpression : valueExpression
  return expression(definition, attribute)
}

const appSqlOf = ({ attributes }: Definition, name: string | undefined) => {
  const attribute = name === undefined ? undefined : attributes.get(name)
  return attribute && ATTRIBUTE_TYPES[attribute.type].appSql
}

const asNumber = (value: AttributeValue): AttributeValue => (typeof value === 'boolean' ? Number(value) : value)

const TEXT_FUNCTIONS = 'LENGTH LOWER UPPER TRIM LTRIM RTRIM SUBSTR SUBSTRING INSTR REPLACE'.split(' ')

/** Returns true if a token is the name of an attribute. */
export function isAttribute(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.kind === 'quoted') return true
  if (token?.kind !== 'word' || is(tokens[at + 1], '(') || isPlaced(tokens, at)) return false
  const word = token.text.toUpperCase()
  return !KEYWORDS.has(word) && !FOREIGN.has(word)
}

/** Returns the attribute that a name in SQL refers to. SQL ignores case, but an exact match takes precedence. */
export function attributeName(definition: Definition, name: string): string {
  if (definition.attributes.has(name)) return name
  if (name.toLowerCase() === 'object') return 'object'
  return [...definition.attributes.keys()].find(known => known.toLowerCase() === name.toLowerCase()) ?? name
}

/** Returns, for each token, the attribute that it is compared with: by `price < ?`, `? < price`, `price IN (?, ?)`, `price BETWEEN ? AND ?`. */
function comparedAttributes(definition: Definition, tokens: readonly Token[]): readonly (string | undefined)[] {
  const calls: boolean[] = []
  let left: string | undefined
  let [isComparing, isBetween] = [false, false]
  return tokens.map((token, at) => {
    if (isAttribute(tokens, at)) {
      left = attributeName(definition, token.text)
      isComparing = false
    } else if (is(token, '('))
      calls.push(tokens[at - 1]?.kind === 'word' && !is(tokens[at - 1], ...COMPARING, ...ENDING))
    else if (is(token, ')')) {
      if (calls.pop()) left = undefined
    } else if (is(token, ...COMPARING)) {
      isComparing = true
      isBetween = is(token, 'BETWEEN')
    } else if (isBetween && is(token, 'AND')) isBetween = false
    else if (is(token, ...ENDING) && !is(tokens[at + 1], 'IN', 'BETWEEN') && !is(tokens[at - 1], 'IS')) left = undefined
    else if (token.kind === 'symbol' && !is(token, ',')) left = undefined
    if (isComparing && left !== undefined) return left
    const isFirst = is(tokens[at + 1], ...COMPARING) && isAttribute(tokens, at + 2)
    return isFirst ? attributeName(definition, tokens[at + 2]?.text ?? '') : undefined
  })
}

function operandsOf(definition: Definition, compared: string | undefined, value: AttributeValue): readonly SqlValue[] {
  const list = Array.isArray(value) ? (value as readonly AttributeValue[]) : [value]
  return list.map(one => {
    if (compared !== undefined) return one === null ? null : operandFor(definition, compared, one)
    return typeof one === 'number' ? one : textOf(one)
  })
}
