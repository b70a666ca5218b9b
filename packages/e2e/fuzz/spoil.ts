import { emptyRecord, type JsonValue } from '@godwit/protocol'
import type { Dice } from '../simulator/world/dice.js'
import type { ValueMaker } from './values.js'

/** The value with one fault: a member that is missing, of another kind, or one too many. */
export function spoiled(value: JsonValue, values: ValueMaker, dice: Dice): JsonValue {
  if (Array.isArray(value) && value.length > 0 && dice.chance(0.6)) {
    const at = dice.below(value.length)
    return value.map((item, index) => (index === at ? spoiled(item, values, dice) : item))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return values.anything()
  const copy = emptyRecord<JsonValue>()
  for (const [name, member] of Object.entries(value)) copy[name] = member
  const name = dice.any(Object.keys(copy))
  const fault = dice.below(4)
  if (name === undefined || fault === 0) copy[values.text({})] = values.anything()
  else if (fault === 1) delete copy[name]
  else copy[name] = fault === 2 ? values.anything() : spoiled(copy[name] ?? null, values, dice)
  return copy
}
