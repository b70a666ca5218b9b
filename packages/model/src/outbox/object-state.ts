import type { Attributes, ObjectId } from '@godwit/protocol'
import { NO_ATTRIBUTES } from '../database/attributes.js'
import type { StoredRow } from '../database/model-rows.js'
import type { OpenModel } from '../database/models.js'
import type { BeneathRow, OutboxEntry } from '../database/tables/entry.js'
import { overlay, undoChanges } from './overlay.js'

/** The server's row of an object. `dead`: removed there; its attributes are the last that were known. */
export type ServerRow = BeneathRow & { readonly attributes: Attributes }

/** How an object stands: the server's row, and the undecided changes over it in their order. */
export interface ObjectState {
  readonly beneath: ServerRow | undefined
  readonly entries: readonly OutboxEntry[]
}

/**
 * Where a row has undecided changes, it names the first of them, and where the app sees no row, the index of hidden ones tells it.
 * The first keeps the server's row: what an object has of undecided changes is found from the row that is read anyway, and most have none.
 */
export function stateOf(model: OpenModel, object: ObjectId): ObjectState {
  const row = model.rows.get(object)
  const entries = entriesFrom(model, object, row)
  if (entries.length > 0) return { beneath: beneathOf(entries, row?.attributes), entries }
  return { beneath: row && { ...row, dead: false }, entries }
}

/** Undecided changes of an object, in their order. */
export const entriesOf = (model: OpenModel, object: ObjectId): readonly OutboxEntry[] =>
  entriesFrom(model, object, model.rows.stamp(object))

/** True when the outbox has a change of this object that the server has not decided. */
export function isUndecided({ rows, partition, name }: OpenModel, object: ObjectId): boolean {
  const row = rows.stamp(object)
  return (row ? row.entry : partition.outbox.hidden(name, object)) !== null
}

/** The undecided create of a temporary id. */
export const createOf = (model: OpenModel | undefined, object: ObjectId): OutboxEntry | undefined =>
  model && entriesOf(model, object).find(({ operation }) => operation === 'create')

/** `row`: what the app sees of the object. */
export function entriesFrom(
  { partition: { outbox }, name }: OpenModel,
  object: ObjectId,
  row: Pick<StoredRow, 'entry'> | undefined,
): readonly OutboxEntry[] {
  const first = row ? row.entry : outbox.hidden(name, object)
  return first === null ? [] : outbox.from(first, name, object)
}

/** The server's row beneath changes; `shown`: what the app sees of the object, if it sees it. */
export function beneathOf([first]: readonly OutboxEntry[], shown = NO_ATTRIBUTES): ServerRow | undefined {
  if (!first?.beneath) return undefined
  const told = first.operation === 'delete' ? first.was : undoChanges(shown, first)
  return { ...first.beneath, attributes: first.beneath.attributes ?? told }
}

/** Lays changes over the server's row: that is beneath the first of them now, and the app sees what comes of it. */
export function lay(model: OpenModel, object: ObjectId, { beneath, entries }: ObjectState): void {
  const { rows, partition } = model
  const [first, ...later] = entries
  if (!first) {
    if (beneath && !beneath.dead) rows.put(object, { ...beneath, entry: null })
    else rows.remove(object)
    return
  }
  const shown = overlay(beneath?.attributes ?? null, entries)
  partition.outbox.place(first.entry, { first: null, hidden: shown === null, beneath: beneath ?? null })
  for (const { entry } of later) partition.outbox.place(entry, { first: first.entry, hidden: false, beneath: null })
  if (shown) rows.put(object, { version: 0, pass: 0, entry: first.entry, attributes: shown })
  else rows.remove(object)
}
