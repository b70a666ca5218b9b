import type { Attributes, AttributeValue } from '@godwit/protocol'
import type { Definition } from './definition.js'

type DefinitionOwners = Pick<Definition, 'belongsTo'>

/** Converts a numeric id from a backend to text. */
const idText = (value: AttributeValue): AttributeValue => (typeof value === 'number' ? String(value) : value)

/** Converts ids of owners to text, so that `get` finds them. The stored values are not changed. */
export function withIdTexts({ belongsTo }: DefinitionOwners, attributes: Attributes): Attributes {
  let result = attributes
  for (const attribute of belongsTo.keys()) {
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined
    if (typeof value === 'number') result = { ...result, [attribute]: idText(value) }
  }
  return result
}

/** Returns true if an attribute holds ids and the app sees the same id for both values. */
export const isSameId = (
  { belongsTo }: DefinitionOwners,
  attribute: string,
  one: AttributeValue | undefined,
  other: AttributeValue | undefined,
): boolean => one !== undefined && other !== undefined && belongsTo.has(attribute) && idText(one) === idText(other)
