import type { AttributeValue } from '@godwit/protocol'
import type { SqlValue } from '../database/driver.js'
import type { Definition } from '../definition/definition.js'
import { spellsNumber } from '../definition/number-text.js'
import { isNumeric } from './columns.js'

/** A value as it meets an attribute: a number, where numbers are declared and it is or spells one, else its text. */
export function operandFor(definition: Definition, attribute: string, value: AttributeValue): SqlValue {
  if (!isNumeric(definition, attribute)) return textOf(value)
  if (typeof value === 'number') return value
  return typeof value === 'string' && spellsNumber(value) ? Number(value) : textOf(value)
}

/** The text of a value: `5` is '5', `true` is 'true', lists and objects are JSON. */
export function textOf(value: AttributeValue): string | null {
  if (value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
