import type { Attributes, AttributeValue } from '@godwit/protocol'
import type { Definition } from './definition.js'

type DefinitionOwners = Pick<Definition, 'belongsTo'>

/** Ids are text, even if a backend sends numbers. */
const idText = (value: AttributeValue): AttributeValue => (typeof value === 'number' ? String(value) : value)

/** Converts ids of owners to text, so that `get` finds them. Stored values stay as the server sent them. */
export function withIdTexts({ belongsTo }: DefinitionOwners, attributes: Attributes): Attributes {
  let result = attributes
  for (const attribute of belongsTo.keys()) {
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined
    if (typeof value === 'number') result = { ...result, [attribute]: idText(value) }
  }
  return result
}

/** Whether the app sees the same id. */
export const isSameId = (
  { belongsTo }: DefinitionOwners,
  attribute: string,
  one: AttributeValue | undefined,
  other: AttributeValue | undefined,
): boolean => one !== undefined && other !== undefined && belongsTo.has(attribute) && idText(one) === idText(other)
