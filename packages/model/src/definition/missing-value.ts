import type { AttributeValue } from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from './attribute-types.js'
import type { AttributeDefinition } from './definition.js'

/** The value that an attribute shows without a fitting one; undefined: it is absent. */
export function missingValue(attribute: AttributeDefinition): AttributeValue | undefined {
  if (attribute.presence === 'default') return attribute.default
  return attribute.presence === 'required' ? ATTRIBUTE_TYPES[attribute.type].empty(attribute) : undefined
}
