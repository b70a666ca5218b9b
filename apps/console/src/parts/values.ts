import type { Attributes } from '@godwit/admin-client'

type Value = Attributes[string] | undefined

const MAX_LENGTH = 120

/** Formats a value for a cell. */
export function shortText(value: Value): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** An attribute's values before and after; undefined if absent. */
export interface Difference {
  readonly name: string
  readonly before: Value
  readonly after: Value
}

/** Returns the attributes that differ between two versions of an object. */
export function differences(before: Attributes, after: Attributes): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const of = (attributes: Attributes, name: string): Value =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return names
    .map(name => ({ name, before: of(before, name), after: of(after, name) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}

interface AttributeEdit {
  /** The attributes when the editor was opened. */
  readonly before: Attributes
  /** The attributes as edited. */
  readonly after: Attributes
  /** The current attributes on the server. */
  readonly now: Attributes
}

/** Returns the changes of an edit relative to the current attributes, without those that the user did not edit. */
export function editDifferences({ before, after, now }: AttributeEdit): readonly Difference[] {
  const names = new Set(differences(before, after).map(({ name }) => name))
  return differences(now, after).filter(({ name }) => names.has(name))
}

/** True if a changed attribute has another value on the server by now. */
export const isOverwritten = (found: readonly Difference[], now: Attributes): boolean =>
  found.some(({ name, after }) => {
    const present = Object.hasOwn(now, name) ? now[name] : undefined
    return JSON.stringify(present) !== JSON.stringify(after)
  })

/** Returns the attributes whose merge makes the changes; `null` removes an attribute. */
export const mergeOf = (found: readonly Difference[]): Attributes =>
  Object.fromEntries(found.map(({ name, after }) => [name, after ?? null]))

/** Parses attributes from JSON text. Throws with a message for the user. */
export function attributesOf(text: string): Attributes {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Attributes
  throw new Error('expected attributes as { "name": "value" }, got JSON of another kind.')
}
