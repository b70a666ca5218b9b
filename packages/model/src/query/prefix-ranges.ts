import type { Definition } from '../definition/definition.js'
import { textExpression, valueExpression } from './columns.js'
import type { CompiledQuery } from './compiled-query.js'

/** Letters whose cases are told apart: each doubles the ranges. */
const MAX_LETTERS = 3
/** What LIKE compares as it is, and letters that it takes in either case. */
const PLAIN = /^[\x20-\x7e]$/

/**
 * The ranges of an index that hold what a LIKE pattern may match, by its first characters; undefined where no index helps. LIKE ignores the case of ASCII and
 * an index does not: each spelling has a range, and the pattern is still to be compared.
 */
export function prefixRanges(definition: Definition, attribute: string, pattern: string): CompiledQuery | undefined {
  const expression = valueExpression(definition, attribute)
  const isIndexed = definition.indexes.some(({ attributes: [first] }) => first === attribute)
  if (!isIndexed || expression !== textExpression(definition, attribute)) return undefined
  const prefixes = spellings(pattern)
  if (prefixes[0] === '') return undefined
  // Behind a sign the values are no concern of the planner: one text, one plan.
  const range = `${expression} >= +? AND ${expression} < +?`
  return {
    sql: `(${prefixes.map(() => range).join(' OR ')})`,
    values: prefixes.flatMap(prefix => [prefix, behind(prefix)]),
  }
}

/** The ways to write the beginning of a pattern. */
function spellings(pattern: string): readonly string[] {
  let all = ['']
  let letters = 0
  for (const character of pattern) {
    if (character === '%' || character === '_' || !PLAIN.test(character)) break
    const cases = [...new Set([character.toUpperCase(), character.toLowerCase()])]
    if (cases.length > 1 && ++letters > MAX_LETTERS) break
    all = all.flatMap(prefix => cases.map(one => prefix + one))
  }
  return all
}

/** The first text that does not begin with a prefix and comes after those that do. */
const behind = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
