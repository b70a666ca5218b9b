import { type Attributes, type AttributeValue, emptyRecord, SyncError } from '@godwit/protocol'

/** Encodes attributes as stored: JSON text without names whose value is `null`. */
export function attributesText(attributes: Attributes): string {
  if (areAllPlain(attributes)) return JSON.stringify(attributes)
  const members: string[] = []
  for (const name of Object.keys(attributes)) {
    const value = valueText(attributes[name])
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${value}`)
  }
  return `{${members.join(',')}}`
}

/** Encodes a change of attributes as JSON text, with `null` for each name to remove. */
export function patchText(attributes: Attributes): string {
  const members = Object.keys(attributes).flatMap(name =>
    attributes[name] === undefined ? [] : [`${JSON.stringify(name)}:${valueText(attributes[name]) ?? 'null'}`],
  )
  return `{${members.join(',')}}`
}

/** Parses stored text into a record without a prototype. */
export function parseAttributes(text: string): Record<string, AttributeValue> {
  return Object.assign(emptyRecord<AttributeValue>(), JSON.parse(text) as Attributes)
}

/** True if two texts of `attributesText` are equal, regardless of the order of attributes. */
export function sameText(left: string, right: string): boolean {
  if (left === right) return true
  // Equal objects have the same length, in any order of members.
  return left.length === right.length && sameValue(JSON.parse(left), JSON.parse(right))
}

/** Deep equality of two attribute values. `null` equals undefined, and the order of names is ignored. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (left === null || left === undefined) return right === null || right === undefined
  if (typeof left !== 'object' || typeof right !== 'object' || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  return sameMembers(left, right)
}

function sameMembers(left: object, right: object): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every(name => Object.hasOwn(right, name) && sameValue(memberOf(left, name), memberOf(right, name)))
}

const memberOf = (value: object, name: string): unknown => (value as { readonly [name: string]: unknown })[name]

/** True if all values are simple, so that `JSON.stringify` can encode the whole, many times faster than one by one. */
function areAllPlain(attributes: Attributes): boolean {
  for (const name of Object.keys(attributes)) {
    const value = attributes[name]
    if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) return false
  }
  return true
}

function valueText(value: AttributeValue | undefined): string | undefined {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new SyncError('body_invalid', 'expected attribute values that are JSON, got one that is not.', { cause })
  }
  return text === 'null' ? undefined : text
}
