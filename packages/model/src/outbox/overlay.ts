import type { Attributes } from '@godwit/protocol'
import { mergeAttributes, NO_ATTRIBUTES } from '../database/attributes.js'
import type { OutboxEntry } from '../database/tables/entry.js'

/** The server's row with undecided changes laid over, in their order; null: the app sees none. */
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

/** What attributes were before a change. */
export const undoChanges = (
  attributes: Attributes,
  { attributes: changes, was }: Pick<OutboxEntry, 'attributes' | 'was'>,
): Attributes =>
  mergeAttributes(attributes, { ...Object.fromEntries(Object.keys(changes).map(name => [name, null])), ...was })
