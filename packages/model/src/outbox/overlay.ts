import type { Attributes, ObjectId } from '@godwit/protocol'
import { merged, NO_ATTRIBUTES } from '../database/attributes.js'
import type { StoredRow } from '../database/model-rows.js'
import type { Model } from '../database/models.js'
import type { Entry } from '../database/tables/outbox-table.js'

/** The server's row with undecided changes laid over, in their order; null: the app sees none. */
export function overlay(
  base: Attributes | null,
  entries: readonly Pick<Entry, 'operation' | 'attributes'>[],
): Attributes | null {
  let state = base
  for (const { operation, attributes } of entries) {
    if (operation === 'delete') state = null
    else if (operation === 'create' || state) state = merged(state ?? NO_ATTRIBUTES, attributes)
  }
  return state
}

/** Before its first undecided change, the server's row goes beneath. */
export function keepBeneath({ partition, name }: Model, object: ObjectId, row: StoredRow): void {
  partition.beneath.put(name, object, { ...row, dead: false })
}

/** Shows what the app must see of an object: the server's row, with what is undecided laid over. */
export function refreshVisible(model: Model, object: ObjectId): void {
  const { partition, name, rows } = model
  const entries = partition.outbox.of(name, object)
  const beneath = partition.beneath.get(name, object)
  if (entries.length > 0) {
    const attributes = overlay(beneath?.attributes ?? null, entries)
    if (attributes) rows.put(object, { version: 0, pass: 0, attributes })
    else rows.remove(object)
    return
  }
  if (beneath && !beneath.dead) rows.put(object, beneath)
  else rows.remove(object)
  partition.beneath.remove(name, object)
}
