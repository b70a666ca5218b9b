import { type Attributes, type AttributeValue, emptyRecord } from '@godwit/protocol'

export const NO_ATTRIBUTES: Attributes = Object.freeze({})

export const parseAttributes = (text: string): Attributes => JSON.parse(text) as Attributes

/** Returns an object's own attribute; inherited members such as `constructor` do not count. */
export const valueIn = (attributes: Attributes, name: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

/** Removes `null` values, which mean absent. Returns the same object if there are none. */
export function withoutNulls(attributes: Attributes): Attributes {
  for (const name in attributes) if (attributes[name] === null) return mergeAttributes(NO_ATTRIBUTES, attributes)
  return attributes
}

const PLAIN = {}

/** Returns an empty record for attributes with these names: a plain object, which is faster, unless a name is a member of `Object.prototype`. */
export const recordFor = (...all: readonly Attributes[]): Record<string, AttributeValue> => {
  for (const attributes of all) for (const name in attributes) if (name in PLAIN) return emptyRecord()
  return {}
}

/** Applies changes to attributes; `null` removes one. */
export function mergeAttributes(attributes: Attributes, changes: Attributes): Attributes {
  const result = recordFor(attributes, changes)
  for (const name of Object.keys(attributes)) result[name] = attributes[name] as AttributeValue
  for (const name of Object.keys(changes)) {
    const value = changes[name]
    if (value === null || value === undefined) delete result[name]
    else result[name] = value
  }
  return result
}

/** Returns the attributes of the given names that exist. */
export function pickAttributes(attributes: Attributes, names: Iterable<string>): Attributes {
  const result = emptyRecord<AttributeValue>()
  for (const name of names) {
    const value = valueIn(attributes, name)
    if (value !== undefined && value !== null) result[name] = value
  }
  return result
}

/** Returns the changes that turn one set of attributes into the other; `null` removes one. */
export function difference(from: Attributes, to: Attributes): Attributes {
  const result = emptyRecord<AttributeValue>()
  for (const name of Object.keys(to))
    if (!same(valueIn(from, name), to[name])) result[name] = to[name] as AttributeValue
  for (const name of Object.keys(from)) if (valueIn(to, name) === undefined) result[name] = null
  return result
}

/** Returns true if two values are equal as JSON: absent equals `null`, and the order of members does not matter. */
export function same(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  if (one === other) return true
  if (one === null || one === undefined) return other === null || other === undefined
  if (typeof one !== 'object' || typeof other !== 'object' || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((member, at) => same(member, other[at]))
    )
  }
  return sameMembers(one as Attributes, other as Attributes)
}

/** Returns true if two records have the same attributes with equal values. */
export function sameMembers(one: Attributes, other: Attributes): boolean {
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every(name => Object.hasOwn(other, name) && same(one[name], other[name]))
}

export const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0
