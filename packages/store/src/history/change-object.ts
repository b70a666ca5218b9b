import type { Attributes, AttributeValue } from '@godwit/protocol'
import { attributesText, parseAttributes, sameText } from './attributes-text.js'
import type { ObjectChange } from './changes-by-object.js'

/** What is stored of an object: its text, `null` for a tombstone, undefined for nothing. */
export type StoredText = string | null | undefined

/** An object after a change. */
export interface ChangedObject {
  /** What is to be stored; `null`: a tombstone. */
  readonly text: string | null
  /** True: it says what is stored already. That is no change, except while a query runs. */
  readonly equal: boolean
}

/** What a change makes of an object; undefined when it does not touch it. */
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
  const text = attributesText(merge ? lay(merge, whole) : whole)
  return emptied && text === '{}' ? null : text
}

/** True: this took the last one. */
function removeAttributes(attributes: Record<string, unknown>, names: readonly string[]): boolean {
  let taken = false
  for (const name of names) {
    taken ||= name in attributes
    delete attributes[name]
  }
  return taken && Object.keys(attributes).length === 0
}

/** Lays attributes over others: `null` removes a name, undefined says nothing about it. */
export function lay(attributes: Attributes, under: Record<string, AttributeValue>): Record<string, AttributeValue> {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) delete under[name]
    else if (value !== undefined) under[name] = value
  }
  return under
}
