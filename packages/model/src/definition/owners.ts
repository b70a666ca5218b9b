import type { Definition } from './definition.js'

const NONE: readonly string[] = []

/** The models whose ids an attribute holds; `object` holds those of its own model. */
export function ownersOf({ name, belongsTo }: Definition, attribute: string): readonly string[] {
  if (attribute === 'object') return [name]
  return belongsTo.get(attribute) ?? NONE
}
