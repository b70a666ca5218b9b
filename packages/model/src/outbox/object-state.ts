import type { Attributes, ObjectId } from '@godwit/protocol'
import type { StoredRow } from '../database/model-rows.js'
import type { OpenModel } from '../database/open-models.js'
import type { OutboxEntry, StoredServerRow } from '../database/tables/outbox-entry.js'
import { NO_ATTRIBUTES } from '../definition/attribute-values.js'
import { overlay, undoChanges } from './overlay.js'

/** The server's row of an object. `dead`: removed on the server; the attributes are the last known ones. */
export type ServerRow = StoredServerRow & { readonly attributes: Attributes }

/** The server's row of an object and the undecided changes on top of it, in order. */
export interface ObjectState {
  readonly serverRow: ServerRow | undefined
  readonly entries: readonly OutboxEntry[]
}

/**
 * Reads the state of an object. A row stores the number of its first undecided change, and that entry keeps the server's row; a hidden object's first
 * entry is found by an index.
 */
export function stateOf(model: OpenModel, object: ObjectId): ObjectState {
  const row = model.rows.get(object)
  const entries = entriesFrom(model, object, row)
  if (entries.length > 0) return { serverRow: serverRowOf(entries, row?.attributes), entries }
  return { serverRow: row && { ...row, dead: false }, entries }
}

/** Returns the undecided changes of an object, in order. */
export const entriesOf = (model: OpenModel, object: ObjectId): readonly OutboxEntry[] =>
  entriesFrom(model, object, model.rows.stamp(object))

/** Returns true if the outbox has an undecided change of the object. */
export function isUndecided({ rows, scope, name }: OpenModel, object: ObjectId): boolean {
  const row = rows.stamp(object)
  return (row ? row.entry : scope.outbox.hidden(name, object)) !== null
}

/** Returns the undecided create of a temporary id. */
export const createOf = (model: OpenModel | undefined, object: ObjectId): OutboxEntry | undefined =>
  model && entriesOf(model, object).find(({ operation }) => operation === 'create')

/** Returns the undecided changes of an object, given its visible row. */
export function entriesFrom(
  { scope: { outbox }, name }: OpenModel,
  object: ObjectId,
  row: Pick<StoredRow, 'entry'> | undefined,
): readonly OutboxEntry[] {
  const first = row ? row.entry : outbox.hidden(name, object)
  return first === null ? [] : outbox.from(first, name, object)
}

/** Returns the server's row under the changes. `visible` is the visible row, if any. */
export function serverRowOf([first]: readonly OutboxEntry[], visible = NO_ATTRIBUTES): ServerRow | undefined {
  if (!first?.serverRow) return undefined
  const derived = first.operation === 'delete' ? first.was : undoChanges(visible, first)
  return { ...first.serverRow, attributes: first.serverRow.attributes ?? derived }
}

/** Stores an object's state: the server's row with the first undecided change, and the row with all changes applied as the visible row. */
export function storeState(model: OpenModel, object: ObjectId, { serverRow, entries }: ObjectState): void {
  const { rows, scope } = model
  const [first, ...later] = entries
  if (!first) {
    if (serverRow && !serverRow.dead)
      rows.put(object, { ...serverRow, version: Math.max(serverRow.version, 0), entry: null })
    else rows.remove(object)
    return
  }
  const visible = overlay(serverRow?.attributes ?? null, entries)
  scope.outbox.place(first.entry, { first: null, hidden: visible === null, serverRow: serverRow ?? null })
  for (const { entry } of later) scope.outbox.place(entry, { first: first.entry, hidden: false, serverRow: null })
  if (visible) rows.put(object, { version: 0, pass: 0, entry: first.entry, attributes: visible })
  else rows.remove(object)
}
