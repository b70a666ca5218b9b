import type { AttributeValue } from '@godwit/protocol'
import { valueExpression } from '../columns/column-sql.js'
import { quote, type TableShape } from '../columns/table-shape.js'
import type { SqlValue } from '../platform/driver.js'
import { columnsOf } from './compile.js'
import type { CompiledQuery } from './compiled-query.js'
import { textOf } from './operand.js'
import { readValue } from './read-value.js'
import { isJsonTable, modelsInSql } from './sql-tables.js'
import { invalidSql, is, isPlaced, SCALAR_FUNCTIONS, type Token, tokensOf } from './tokens.js'

/** Keywords of SELECT, which can be attribute names only in quotes. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS CURRENT DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS FALSE FILTER FOLLOWING FROM FULL GLOB GROUP HAVING IN INNER INTERSECT IS ISNULL JOIN LEFT LIKE LIMIT MATERIALIZED NATURAL NOT NOTNULL NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION PRECEDING RANGE RECURSIVE RIGHT ROW ROWS SELECT THEN TRUE UNBOUNDED UNION USING VALUES WHEN WHERE WINDOW WITH'.split(
    ' ',
  ),
)

const AGGREGATES: ReadonlySet<string> = new Set(
  'AVG COUNT DENSE_RANK FIRST_VALUE GROUP_CONCAT LAG LAST_VALUE LEAD NTILE RANK ROW_NUMBER STRING_AGG SUM TOTAL'.split(
    ' ',
  ),
)

/**
 * Compiles a SELECT over models and joins its column `object` to one model, in the order of the SELECT. Each model is a table of `object` and
 * attributes, and the result has the columns of `compileQuery`.
 */
export function compileSelect(
  given: string,
  values: readonly AttributeValue[],
  { shape, all }: { readonly shape: TableShape; readonly all: readonly TableShape[] },
): CompiledQuery {
  const tokens = readOnlyTokens(given)
  const bound = boundTo(given, tokens, values)
  const models = modelsInSql(given, tokens, all)
  const tables = models.map(model => tableOf(model, namesFor(model, { tokens, models, shape })))
  const columns = columnsOf(shape.definition).map(name => `result.${name}`)
  const found = `SELECT row_number() OVER () AS place, picked."object" AS id FROM (${sqlOf(tokens)}) AS picked`
  return {
    sql: `${tables.length > 0 ? `WITH ${tables.join(', ')} ` : ''}SELECT ${columns.join(', ')} FROM (${found}) JOIN ${shape.table} AS result ON result."object" = id ORDER BY place`,
    values: bound,
  }
}

/** Returns the tokens of a single SELECT that calls only side-effect-free functions. */
export function readOnlyTokens(given: string): readonly Token[] {
  const tokens = withoutEnd(tokensOf(given))
  if (!is(tokens[0], 'SELECT', 'WITH')) throw invalidSql(given, 'expected one SELECT')
  if (tokens.some(token => is(token, ';'))) throw invalidSql(given, 'expected one statement')
  for (const [at, token] of tokens.entries()) checkCall(given, tokens, at, token)
  return tokens
}

/** Checks the number of values, because drivers handle missing values differently: as NULL or as an error. */
export function boundTo(sql: string, tokens: readonly Token[], values: readonly unknown[]): readonly SqlValue[] {
  const places = tokens.filter(({ kind }) => kind === 'placeholder').length
  if (places !== values.length) throw invalidSql(sql, `it has ${places} ? for ${values.length} values`)
  const read = values.map((value, at) => readValue(`Value ${at + 1}`, value))
  return read.map(value => (typeof value === 'number' ? value : textOf(value)))
}

const withoutEnd = (tokens: readonly Token[]): readonly Token[] =>
  is(tokens.at(-1), ';') ? tokens.slice(0, -1) : tokens

export const sqlOf = (tokens: readonly Token[]): string =>
  tokens.map(({ kind, text }) => (kind === 'quoted' ? quote(text) : text)).join(' ')

/** Checks a name before a parenthesis: a known function, a keyword, or the head of a WITH table. */
function checkCall(sql: string, tokens: readonly Token[], at: number, { kind, text }: Token): void {
  if (!is(tokens[at + 1], '(') || (kind !== 'word' && kind !== 'quoted')) return
  const word = text.toUpperCase()
  const isKnown =
    kind === 'word' &&
    (KEYWORDS.has(word) ||
      isPlaced(tokens, at) ||
      SCALAR_FUNCTIONS.has(word) ||
      AGGREGATES.has(word) ||
      isJsonTable(tokens, at))
  const isHead = is(tokens[at - 1], 'WITH', 'RECURSIVE', ',') && is(tokens[closing(tokens, at + 1) + 1], 'AS')
  if (!isKnown && !isHead) throw invalidSql(sql, `the function ${text} is not allowed in it`)
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (is(tokens[at], '(')) depth++
    if (is(tokens[at], ')') && --depth === 0) return at
  }
  return tokens.length
}

/**
 * Returns the columns of a model: declared attributes and, for a bag, those that the SQL names qualified or, for the queried bag, without a
 * qualifier.
 */
function namesFor(
  { definition }: TableShape,
  {
    tokens,
    models,
    shape,
  }: { readonly tokens: readonly Token[]; readonly models: readonly TableShape[]; readonly shape: TableShape },
): readonly string[] {
  if (definition.storage === 'fixed' || definition.typed) return [...definition.attributes.keys()]
  const isSelected = definition === shape.definition || !models.includes(shape)
  const isDeclared = (name: string) => models.some(model => model.definition.attributes.has(name))
  const named = tokens.filter(({ kind, text }, at) => {
    const isKeyword = kind !== 'word' || KEYWORDS.has(text.toUpperCase()) || isPlaced(tokens, at)
    if (kind !== 'quoted' && (isKeyword || is(tokens[at + 1], '(', '.'))) return false
    return is(tokens[at - 1], '.') || (isSelected && !isDeclared(text))
  })
  return [...definition.attributes.keys(), ...named.map(({ text }) => text)]
}

/** Returns the WITH table of a model. Names that differ only in case appear once, because SQLite ignores it. */
function tableOf({ definition, table }: TableShape, names: readonly string[]): string {
  const seen = new Set(['object'])
  const columns = names
    .filter(name => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()))
    .map(name => `, ${valueExpression(definition, name)} AS ${quote(name)}`)
  return `${quote(definition.name)} AS (SELECT "object"${columns.join('')} FROM ${table})`
}
