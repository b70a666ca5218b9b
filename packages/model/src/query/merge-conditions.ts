import type { AttributeValue } from '@godwit/protocol'
import { isNumeric } from '../columns/column-sql.js'
import type { Definition } from '../definition/definition.js'
import type { Comparison, Condition } from './query-tree.js'

/** A test whether an attribute is within an inclusive range, or outside it if `isWithin` is false. */
export interface RangeCondition {
  readonly kind: 'range'
  readonly attribute: string
  readonly from: AttributeValue
  readonly to: AttributeValue
  readonly isWithin: boolean
}

type Junction = Extract<Condition, { readonly kind: 'and' | 'or' }>

/**
 * Merges parts of AND or OR that compare the same attribute, because SQLite would extract the value from JSON for each comparison. The result is the
 * same, also for NULL, and indexes still apply.
 */
export function mergeConditions(
  definition: Definition,
  { kind, parts }: Junction,
): readonly (Condition | RangeCondition)[] {
  const left = new Set(parts)
  const together: (Condition | RangeCondition)[] = []
  for (const [attribute, same] of Map.groupBy(parts.filter(isPlain), part => part.attribute)) {
    const [low, high] = (kind === 'and' ? ['>=', '<='] : ['<', '>']).map(end => same.find(one => one.operator === end))
    if (low && high) {
      together.push({ kind: 'range', attribute, from: low.value, to: high.value, isWithin: kind === 'and' })
      for (const one of [low, high]) left.delete(one)
    }
    const equal = same.filter(({ operator }) => operator === '=')
    if (kind === 'or' && equal.length > 1 && isNumeric(definition, attribute)) {
      together.push({ kind: 'compare', attribute, operator: 'IN', value: equal.map(({ value }) => value) })
      for (const one of equal) left.delete(one)
    }
  }
  return [...left, ...together]
}

/** True for a comparison with one value that is not null. */
const isPlain = (part: Condition): part is Comparison =>
  part.kind === 'compare' && part.func === undefined && part.value !== null && !Array.isArray(part.value)
