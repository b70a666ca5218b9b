import type { AttributeValue } from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from './attribute-types.js'
import type { AttributeDefinition } from './definition.js'

/** Returns the value that an attribute shows if it has no valid one; undefined if it is then absent. */
export function missingValue(attribute: AttributeDefinition): AttributeValue | undefined {
  if (attribute.presence === 'default') return attribute.default
  return attribute.presence === 'required' ? ATTRIBUTE_TYPES[attribute.type].empty(attribute) : undefined
}
