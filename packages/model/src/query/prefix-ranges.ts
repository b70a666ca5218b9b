import { textExpression, valueExpression } from '../columns/column-sql.js'
import type { Definition } from '../definition/definition.js'
import type { CompiledQuery } from './compiled-query.js'

/** Maximum number of letters whose case is expanded: each doubles the ranges. */
const MAX_LETTERS = 3
/** Characters that a LIKE pattern compares literally, ignoring the case of letters. */
const PLAIN = /^[\x20-\x7e]$/

/**
 * Returns index ranges that contain all possible matches of a LIKE pattern, by its first characters; undefined if no index helps. LIKE ignores the
 * case of ASCII letters and an index does not, so each spelling has a range, and rows are still compared with the pattern.
 */
export function prefixRanges(definition: Definition, attribute: string, pattern: string): CompiledQuery | undefined {
  const expression = valueExpression(definition, attribute)
  const isIndexed = definition.indexes.some(({ attributes: [first] }) => first === attribute)
  if (!isIndexed || expression !== textExpression(definition, attribute)) return undefined
  const prefixes = spellings(pattern)
  if (prefixes[0] === '') return undefined
  // Unary plus hides the values from the planner, so that the statement is not planned again for each value.
  const range = `${expression} >= +? AND ${expression} < +?`
  return {
    sql: `(${prefixes.map(() => range).join(' OR ')})`,
    values: prefixes.flatMap(prefix => [prefix, behind(prefix)]),
  }
}

/** Returns the spellings, in upper and lower case, of a pattern's first characters. */
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

/** Returns the first text that sorts after all texts with a prefix. */
const behind = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
