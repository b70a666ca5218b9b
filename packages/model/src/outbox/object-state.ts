import type { Attributes, ObjectId } from '@godwit/protocol'
import type { StoredRow } from '../database/model-rows.js'
import type { OpenModel } from '../database/open-models.js'
import type { OutboxEntry, StoredServerRow } from '../database/tables/outbox-entry.js'
import { NO_ATTRIBUTES } from '../definition/attribute-values.js'
import { overlay, undoChanges } from './overlay.js'

/** The server's row of an object. `dead`: removed on the server; the attributes are the last known ones. */
export type ServerRow = StoredServerRow & {
  readonly attributes: Attributes
  /** Of a model with `by`: the copy that leads, or the one in which a removed row was last; null for none, as for a row found by search. */
  readonly copy?: number | null
}

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
  if (entries.length > 0) {
    const serverRow = serverRowOf(entries, row?.attributes)
    const copy = serverRow && model.definition.by && { copy: leadingCopy(model, object, row) }
    return { serverRow: serverRow && { ...serverRow, ...copy }, entries }
  }
  return { serverRow: row && { ...row, dead: false }, entries }
}

const leadingCopy = ({ scope, name }: OpenModel, object: ObjectId, row: Pick<StoredRow, 'copy'> | undefined) =>
  row?.copy ?? scope.leads.get(name, object)

/** Returns the objects with undecided changes that a copy leads. */
export const changedIn = ({ rows, scope, name }: Pick<OpenModel, 'rows' | 'scope' | 'name'>, copy: number) => [
  ...rows.changedLedBy(copy),
  ...scope.leads.objects(name, copy),
]

/** Returns what the model's copy has of an object; for a source without `by`, the server's row. */
export function serverRowIn(model: OpenModel, object: ObjectId): ServerRow | undefined {
  const { serverRow } = stateOf(model, object)
  const { copy, scope, name } = model
  if (!copy || (serverRow?.dead === false && serverRow.copy === copy.id)) return serverRow
  const other = scope.memberships.get(name, object, copy.id)
  return other && { ...other, dead: false }
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
  const copy = model.definition.by ? copyOf(model, object, serverRow) : undefined
  if (!first) {
    if (serverRow && !serverRow.dead)
      rows.put(object, { ...serverRow, version: Math.max(serverRow.version, 0), entry: null, ...copy })
    else rows.remove(object)
    if (copy) scope.leads.set(model.name, object, null)
    return
  }
  const visible = overlay(serverRow?.attributes ?? null, entries)
  scope.outbox.place(first.entry, { first: null, hidden: visible === null, serverRow: serverRow ?? null })
  for (const { entry } of later) scope.outbox.place(entry, { first: first.entry, hidden: false, serverRow: null })
  if (visible) rows.put(object, { version: 0, pass: 0, entry: first.entry, attributes: visible, ...copy })
  else rows.remove(object)
  if (copy) scope.leads.set(model.name, object, visible ? null : copy.copy)
}

/** Returns the leading copy of a new state, which stays where the state names none. */
function copyOf(
  model: OpenModel,
  object: ObjectId,
  serverRow: ServerRow | undefined,
): { readonly copy: number | null } {
  if (!serverRow) return { copy: null }
  return { copy: serverRow.copy !== undefined ? serverRow.copy : leadingCopy(model, object, model.rows.stamp(object)) }
}
