import { createHash } from 'node:crypto'
import { type Attributes, type AttributeValue, canonicalJson, type JsonValue, type Mutation } from '@godwit/protocol'
import { sameValue } from '@godwit/store/history'

/** An object as the device saw it before its change, as far as the server can tell. */
export interface SeenObject {
  readonly base: Attributes
  /** The attributes whose large value the device saw, and which has been replaced since: only its digest is known. */
  readonly unknown: readonly string[]
}

/** Returns true if the device saw the present value of an attribute. Of a large value it sent the digest. */
export function isAsSeen({ was = {}, was_digests = {} }: Mutation, present: Attributes, name: string): boolean {
  const digest = Object.hasOwn(was_digests, name) ? was_digests[name] : undefined
  return digest === undefined
    ? isSameValue(present, was, name) || isConverted(attributeOf(present, name), attributeOf(was, name))
    : digest === digestOf(attributeOf(present, name) as JsonValue)
}

/** Returns the object as the device saw it. The attributes that its change does not contain are those of `theirs`. */
export function seenObject(mutation: Mutation, theirs: Attributes = {}): SeenObject {
  const { operation, attributes = {}, was = {}, was_digests = {} } = mutation
  const changed = operation === 'delete' ? Object.keys(theirs) : (mutation.changed ?? Object.keys(attributes))
  const digested = Object.keys(was_digests)
  const unknown = digested.filter(name => !isAsSeen(mutation, theirs, name))
  const replaced = new Set([...changed.filter(name => !digested.includes(name)), ...unknown])
  const kept = Object.entries(theirs).filter(([name]) => !replaced.has(name))
  return { base: Object.fromEntries([...kept, ...Object.entries(was)]), unknown }
}

/** A device whose model declares a type has a number or boolean where the server has its text. */
const isConverted = (present: AttributeValue, was: AttributeValue): boolean =>
  typeof present === 'string' && (typeof was === 'number' || typeof was === 'boolean') && present === String(was)

const digestOf = (value: JsonValue): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

export const isSameValue = (one: Attributes, other: Attributes, name: string): boolean =>
  sameValue(attributeOf(one, name) as JsonValue, attributeOf(other, name) as JsonValue)

/** Returns an attribute, or `null` if absent; inherited members are not attributes. */
export const attributeOf = (attributes: Attributes, name: string): AttributeValue =>
  Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null
