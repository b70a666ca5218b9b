import type { AttributeValue } from '@godwit/protocol'
import { isNumeric } from '../columns/column-sql.js'
import type { Definition } from '../definition/definition.js'
import { spellsNumber } from '../definition/number-text.js'
import type { SqlValue } from '../platform/driver.js'

/** Converts a value for comparison with an attribute: to a number if the attribute is numeric and the value is or spells one, otherwise to text. */
export function operandFor(definition: Definition, attribute: string, value: AttributeValue): SqlValue {
  if (!isNumeric(definition, attribute)) return textOf(value)
  if (typeof value === 'number') return value
  return typeof value === 'string' && spellsNumber(value) ? Number(value) : textOf(value)
}

/** Returns a value as text: `5` is '5', `true` is 'true', lists and objects are JSON. */
export function textOf(value: AttributeValue): string | null {
  if (value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
