import type { Definition } from './definition.js'

const NO_OWNERS: readonly string[] = []

/** Returns the models whose ids an attribute holds; `object` holds those of the model itself. */
export function ownersOf({ name, belongsTo }: Definition, attribute: string): readonly string[] {
  if (attribute === 'object') return [name]
  return belongsTo.get(attribute) ?? NO_OWNERS
}
