import type { AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { textOf } from './operand.js'

/** Lookups of ids that a server replaced. */
export interface Links {
  /** The definition of another model. */
  definitionOf(model: string): Definition | undefined
  /** Whether any id of these models was replaced. */
  any(owners: readonly string[]): boolean
  /** Returns these ids and all that denote the same objects of these models. */
  same(owners: readonly string[], ids: readonly ObjectId[]): ReadonlySet<ObjectId>
}

/** Adds the ids that denote the same objects; undefined if there are no others. */
export function withLinked(
  values: readonly AttributeValue[],
  same: (ids: readonly ObjectId[]) => ReadonlySet<ObjectId>,
): AttributeValue[] | undefined {
  const ids = values.map(textOf).filter(id => id !== null)
  const known = new Set(ids)
  const others = [...same(ids)].filter(id => !known.has(id))
  return others.length > 0 ? [...values, ...others] : undefined
}
