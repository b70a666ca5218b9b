import type { Attributes } from '@godwit/protocol'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { mergeAttributes, NO_ATTRIBUTES } from '../definition/attribute-values.js'

/** Applies undecided changes to the server's row, in order. Returns null if the app sees no row. */
export function overlay(
  base: Attributes | null,
  entries: readonly Pick<OutboxEntry, 'operation' | 'attributes'>[],
): Attributes | null {
  let state = base
  for (const { operation, attributes } of entries) {
    if (operation === 'delete') state = null
    else if (operation === 'create' || state) state = mergeAttributes(state ?? NO_ATTRIBUTES, attributes)
  }
  return state
}

/** Returns the changes that undo a change. */
export const undoChanges = (
  attributes: Attributes,
  { attributes: changes, was }: Pick<OutboxEntry, 'attributes' | 'was'>,
): Attributes =>
  mergeAttributes(attributes, { ...Object.fromEntries(Object.keys(changes).map(name => [name, null])), ...was })
