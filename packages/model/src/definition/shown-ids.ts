import type { Attributes, AttributeValue } from '@godwit/protocol'
import type { Definition } from './definition.js'

type DefinitionOwners = Pick<Definition, 'belongsTo'>

/** Ids are text, also those that a backend sends as numbers. */
const idText = (value: AttributeValue): AttributeValue => (typeof value === 'number' ? String(value) : value)

/** Attributes as the app sees them: the ids of owners are text, so that `get` finds these. What is stored stays as the server sent it. */
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
