import type { AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { textOf } from './operand.js'

/** Lookups of temporary ids that a server replaced by real ones. */
export interface Links {
  /** Returns the definition of another model. */
  definitionOf(model: string): Definition | undefined
  /** Returns true if any id of these models was replaced. */
  any(owners: readonly string[]): boolean
  /** Returns these ids and all other ids of the same objects. */
  same(owners: readonly string[], ids: readonly ObjectId[]): ReadonlySet<ObjectId>
}

/** Returns the values with all other ids of the same objects; undefined if there are none. */
export function withLinked(
  values: readonly AttributeValue[],
  same: (ids: readonly ObjectId[]) => ReadonlySet<ObjectId>,
): AttributeValue[] | undefined {
  const ids = values.map(textOf).filter(id => id !== null)
  const known = new Set(ids)
  const others = [...same(ids)].filter(id => !known.has(id))
  return others.length > 0 ? [...values, ...others] : undefined
}
