import type { Attributes } from '@godwit/admin-client'

type Value = Attributes[string] | undefined

const MAX_LENGTH = 120

/** A value in a cell. */
export function shortText(value: Value): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** What one attribute was and becomes; undefined: it is not there. */
export interface Difference {
  readonly name: string
  readonly before: Value
  readonly after: Value
}

/** The attributes that differ between two versions of an object. */
export function differences(before: Attributes, after: Attributes): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const of = (attributes: Attributes, name: string): Value =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return names
    .map(name => ({ name, before: of(before, name), after: of(after, name) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}

interface AttributeEdit {
  /** As it was when it was opened. */
  readonly before: Attributes
  /** As somebody typed it. */
  readonly after: Attributes
  /** As it is meanwhile. */
  readonly now: Attributes
}

/** What an edit changes of what is there now: attributes that the editor left alone are not among it. */
export function editDifferences({ before, after, now }: AttributeEdit): readonly Difference[] {
  const names = new Set(differences(before, after).map(({ name }) => name))
  return differences(now, after).filter(({ name }) => names.has(name))
}

/** Whether an attribute that was changed has another value by now. */
export const isOverwritten = (found: readonly Difference[], now: Attributes): boolean =>
  found.some(({ name, after }) => {
    const present = Object.hasOwn(now, name) ? now[name] : undefined
    return JSON.stringify(present) !== JSON.stringify(after)
  })

/** What makes one of the other when it is merged: `null` removes an attribute. */
export const mergeOf = (found: readonly Difference[]): Attributes =>
  Object.fromEntries(found.map(({ name, after }) => [name, after ?? null]))

/** Reads attributes from JSON text. Throws with a message for the person who typed it. */
export function attributesOf(text: string): Attributes {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Attributes
  throw new Error('expected attributes as { "name": "value" }, got JSON of another kind.')
}
