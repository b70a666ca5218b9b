import type { Attributes, AttributeValue } from '@godwit/protocol'
import { attributesText, parseAttributes, sameText } from './attributes-text.js'
import type { ObjectChange } from './changes-by-object.js'

/** The stored text of an object: `null` for a tombstone, undefined for none. */
export type StoredText = string | null | undefined

/** An object after a change. */
export interface ChangedObject {
  /** The new stored text; `null` for a tombstone. */
  readonly text: string | null
  /** True if it equals the stored text. That is no change, except while a query runs. */
  readonly equal: boolean
}

/** Applies a change to an object. Returns undefined if the change does not affect it. */
export function changeObject(present: StoredText, change: ObjectChange): ChangedObject | undefined {
  if (change.remove) return { text: null, equal: present === null }
  if (typeof present !== 'string' && !change.replace && !change.merge) return undefined
  const text = liveText(present, change)
  return { text, equal: typeof present === 'string' && text !== null && sameText(present, text) }
}

function liveText(present: StoredText, { without, replace, merge }: ObjectChange): string | null {
  if (replace && !without && !merge) return attributesText(replace)
  if (merge && !without && !replace && typeof present !== 'string') return attributesText(merge)
  const attributes = typeof present === 'string' ? parseAttributes(present) : parseAttributes('{}')
  const emptied = removeAttributes(attributes, without ?? [])
  const whole = replace ? parseAttributes(attributesText(replace)) : attributes
  const text = attributesText(merge ? overlay(merge, whole) : whole)
  return emptied && text === '{}' ? null : text
}

/** Returns true if it removed the last attribute. */
function removeAttributes(attributes: Record<string, unknown>, names: readonly string[]): boolean {
  let taken = false
  for (const name of names) {
    taken ||= name in attributes
    delete attributes[name]
  }
  return taken && Object.keys(attributes).length === 0
}

/** Merges attributes into `under`: `null` removes a name, undefined is ignored. */
export function overlay(attributes: Attributes, under: Record<string, AttributeValue>): Record<string, AttributeValue> {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) delete under[name]
    else if (value !== undefined) under[name] = value
  }
  return under
}
