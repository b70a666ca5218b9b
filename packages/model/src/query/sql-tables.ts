import type { TableShape } from '../columns/table-shape.js'
import { invalidSql, is, type Token } from './tokens.js'

/** Keywords that end a list of tables. */
const CLAUSES = ['WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'WINDOW', 'UNION', 'INTERSECT', 'EXCEPT', 'SELECT']

/**
 * Returns the models that a SELECT reads: tables after FROM, JOIN and the commas between. Throws `query_invalid` for any other table, view or schema.
 */
export function modelsInSql(sql: string, tokens: readonly Token[], all: readonly TableShape[]): readonly TableShape[] {
  const models = new Map(all.map(shape => [shape.definition.name.toLowerCase(), shape]))
  const own = namesOfWith(tokens)
  const used = new Set<TableShape>()
  for (const name of tablesIn(sql, tokens)) {
    const model = models.get(name.toLowerCase())
    if (model) used.add(model)
    else if (!own.has(name.toLowerCase())) {
      const names = all.map(({ definition }) => definition.name)
      throw invalidSql(sql, `${JSON.stringify(name)} is not a model; it may read ${names.join(', ')}`)
    }
  }
  return [...used]
}

/** Returns the names in `WITH name AS (…)` and `WITH name (columns) AS (…)`. */
function namesOfWith(tokens: readonly Token[]): ReadonlySet<string> {
  const heads = tokens.filter(({ kind }, at) => {
    if (kind !== 'word' && kind !== 'quoted') return false
    return is(tokens[at - 1], 'WITH', 'RECURSIVE', ',') && is(tokens[at + 1], 'AS', '(')
  })
  return new Set(heads.map(({ text }) => text.toLowerCase()))
}

/** Returns true if a table is a function over a JSON list or object. */
export const isJsonTable = (tokens: readonly Token[], at: number): boolean =>
  is(tokens[at], 'JSON_EACH', 'JSON_TREE') && is(tokens[at + 1], '(') && is(tokens[at - 1], 'FROM', 'JOIN', ',')

interface NestingLevel {
  /** True within FROM, where a comma is followed by another table. */
  isFrom: boolean
  /** True if the next token is a table. */
  isNext: boolean
}

function tablesIn(sql: string, tokens: readonly Token[]): readonly string[] {
  const levels: NestingLevel[] = [{ isFrom: false, isNext: false }]
  const tables: string[] = []
  for (const [at, token] of tokens.entries()) {
    const level = levels.at(-1) as NestingLevel
    if (is(token, '(')) levels.push(levelWithin(level, tokens[at + 1]))
    else if (is(token, ')')) levels.pop()
    else if (level.isNext) {
      if (isJsonTable(tokens, at)) {
        level.isNext = false
        continue
      }
      if (is(tokens[at + 1], '.', '(')) throw invalidSql(sql, `${JSON.stringify(token.text)} is not a model`)
      tables.push(token.text)
      level.isNext = false
    } else step(sql, tokens, at, level)
  }
  return tables
}

/** Returns the state inside parentheses, which contain either a SELECT or more tables. */
function levelWithin(outer: NestingLevel, next: Token | undefined): NestingLevel {
  const isTables = outer.isNext && !is(next, 'SELECT', 'WITH', 'VALUES')
  outer.isNext = false
  return { isFrom: isTables, isNext: isTables }
}

function step(sql: string, tokens: readonly Token[], at: number, level: NestingLevel): void {
  const token = tokens[at]
  if (is(token, 'IN') && !is(tokens[at + 1], '(')) throw invalidSql(sql, 'IN takes a list in parentheses')
  if (is(token, 'FROM') && !is(tokens[at - 1], 'DISTINCT')) {
    level.isFrom = true
    level.isNext = true
  } else if (is(token, ...CLAUSES)) level.isFrom = false
  else if (is(token, 'JOIN') || (level.isFrom && is(token, ','))) level.isNext = true
}
