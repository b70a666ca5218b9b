import type { Attributes, ObjectId } from '@godwit/protocol'
import type { StoredRow } from '../database/model-rows.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { NewEntry, OutboxEntry } from '../database/tables/outbox-entry.js'
import {
  difference,
  isEmpty,
  mergeAttributes,
  NO_ATTRIBUTES,
  pickAttributes,
  same,
  valueIn,
} from '../definition/attribute-values.js'
import { isSameId } from '../definition/displayed-ids.js'
import { entriesFrom, type ObjectState, serverRowOf, storeState } from './object-state.js'
import { overlay, undoChanges } from './overlay.js'
import { isNamedByEntries, type NamedCreate, namesIn, recordNames } from './temporary-owners.js'

/** A local change of one object. */
export interface LocalChange {
  readonly models: OpenModels
  readonly model: OpenModel
  readonly object: ObjectId
}

type Addition = Omit<NewEntry, 'model' | 'object'>

/** Returns the entry number for an object's first undecided change, which its row stores; for `count` objects, the first of consecutive numbers. */
export const nextEntry = ({ scope, definition }: OpenModel, count?: number): number =>
  scope.outbox.next({ aboveAll: definition.belongsTo.size > 0 }, count)

/** Adds the create of an object whose row stores `entry`. `known`: the id is not newly generated, so that entries may exist. */
export function addCreate(change: LocalChange, attributes: Attributes, entry: number, known: boolean): void {
  const { model, object } = change
  const entries = known ? entriesFrom(model, object, undefined) : []
  const last = entries.at(-1)
  if (!last) {
    model.scope.outbox.addCreate({ entry, model: model.name, object, attributes })
    recordReferences(change.models, model, entry, { attributes, was: NO_ATTRIBUTES })
    return
  }
  const create = { entry, operation: 'create', attributes, was: NO_ATTRIBUTES, seen: null, serverRow: null } as const
  if (last.operation === 'delete' && isOpen(last)) takeBack(change, entries, create)
  else storeState(model, object, { serverRow: serverRowOf(entries), entries: [...entries, another(change, create)] })
}

/** Adds an update. `before` is the visible row, which will store `entry`; `changes` are the attributes that differ. */
export function addUpdate(change: LocalChange, before: StoredRow, changes: Attributes, entry: number): void {
  const { model, object } = change
  model.scope.outbox.wrote(model.name)
  if (before.entry === null) {
    const was = pickAttributes(before.attributes, Object.keys(changes))
    add(change, { entry, operation: 'update', attributes: changes, was, ...stateBefore(before) })
    return
  }
  const entries = entriesFrom(model, object, before)
  const standing = { serverRow: serverRowOf(entries, before.attributes), entries }
  const now = withChanges(change, standing, before.attributes, changes)
  if (now.length !== entries.length) storeState(model, object, { ...standing, entries: now })
}

/** Adds the delete of an object; `before` is its visible row. */
export function addDelete(change: LocalChange, before: StoredRow): void {
  const { models, model, object } = change
  if (before.copy !== undefined) model.scope.leads.set(model.name, object, before.copy)
  const removal = { entry: nextEntry(model), operation: 'delete', attributes: NO_ATTRIBUTES } as const
  if (before.entry === null) {
    add(change, { ...removal, was: before.attributes, ...stateBefore(before) })
    return
  }
  const entries = entriesFrom(model, object, before)
  const serverRow = serverRowOf(entries, before.attributes)
  const open = entries.findLast(isOpen)
  const isCreate = open?.operation === 'create'
  const isKept =
    open === undefined || (isCreate && (serverRow !== undefined || isNamedByEntries(models, model.name, object)))
  const rest = isKept ? entries : entries.slice(0, -1)
  if (!isKept) forget(model, open)
  const was = open?.operation === 'update' ? undoChanges(before.attributes, open) : before.attributes
  const seen = open?.seen ?? null
  if (isCreate && !isKept) storeState(model, object, { serverRow, entries: rest })
  else if (rest.length > 0)
    storeState(model, object, {
      serverRow,
      entries: [...rest, another(change, { ...removal, was, seen, serverRow: null })],
    })
  else add(change, { ...removal, was, seen, serverRow: open?.serverRow ?? null })
}

/** Returns true for an entry that has not been in a request, into which later edits can be merged. */
const isOpen = (entry: OutboxEntry): boolean => entry.key === null

const knownVersion = (version: number): number | null => (version > 0 ? version : null)

/** Returns the server's row as stored with the first change. Its attributes are derived from the change. */
const stateBefore = ({ version, pass }: StoredRow): Pick<OutboxEntry, 'seen' | 'serverRow'> => ({
  seen: knownVersion(version),
  serverRow: { version, pass, dead: false, attributes: null },
})

/**
 * Returns true if an edit may be merged into the last entry. A reference to a temporary id must come after that id's create, even the object's
 * create, because the real id does not exist when the create is sent.
 */
const mayJoin = (last: OutboxEntry, names: readonly NamedCreate[]): boolean =>
  last.operation !== 'delete' && names.every(({ create }) => create < last.entry)

function add({ models, model, object }: LocalChange, addition: Addition): void {
  model.scope.outbox.add({ ...addition, model: model.name, object })
  recordReferences(models, model, addition.entry, addition)
}

/** Adds a change to an object that already has undecided ones. */
function another(change: LocalChange, addition: Addition): OutboxEntry {
  add(change, addition)
  return change.model.scope.outbox.get(addition.entry) as OutboxEntry
}

function forget({ scope, definition }: OpenModel, { entry }: OutboxEntry): void {
  scope.outbox.remove(entry)
  if (definition.by) scope.routes.remove(entry)
  scope.named.forget(entry)
}

function recordReferences(
  models: OpenModels,
  model: OpenModel,
  entry: number,
  { attributes, was }: Pick<OutboxEntry, 'attributes' | 'was'>,
): void {
  if (model.definition.belongsTo.size === 0) return
  recordNames(model, entry, [...namesIn(models, model, attributes), ...namesIn(models, model, was)])
}

/** Returns the entries after an update, which was merged into the last one or added. */
function withChanges(
  change: LocalChange,
  { serverRow, entries }: ObjectState,
  before: Attributes,
  changes: Attributes,
): readonly OutboxEntry[] {
  const { models, model } = change
  const last = entries.at(-1)
  if (last && isOpen(last) && mayJoin(last, namesIn(models, model, changes))) {
    const base = overlay(serverRow?.attributes ?? null, entries.slice(0, -1)) ?? NO_ATTRIBUTES
    return [...entries.slice(0, -1), ...joinChange(change, last, base, before, changes)]
  }
  const was = pickAttributes(before, Object.keys(changes))
  const seen = last ? null : knownVersion(serverRow?.version ?? 0)
  const update = {
    entry: nextEntry(model),
    operation: 'update',
    attributes: changes,
    was,
    seen,
    serverRow: null,
  } as const
  return [...entries, another(change, update)]
}

function joinChange(
  { models, model }: LocalChange,
  last: OutboxEntry,
  base: Attributes,
  before: Attributes,
  changes: Attributes,
): readonly OutboxEntry[] {
  const now =
    last.operation === 'create'
      ? { attributes: mergeAttributes(last.attributes, changes), was: last.was }
      : joinUpdate(model, last, { base, before, changes })
  if (last.operation === 'update' && isEmpty(now.attributes)) {
    forget(model, last)
    return []
  }
  model.scope.outbox.change(last.entry, now)
  model.scope.named.forget(last.entry)
  recordReferences(models, model, last.entry, now)
  return [{ ...last, ...now }]
}

/** Merges an update into an unsent entry. Attributes set back to the server's values are no longer changes. */
function joinUpdate(
  { definition }: OpenModel,
  last: OutboxEntry,
  { base, before, changes }: { readonly base: Attributes; readonly before: Attributes; readonly changes: Attributes },
): Pick<OutboxEntry, 'attributes' | 'was'> {
  const attributes: Record<string, Attributes[string]> = Object.assign(Object.create(null), last.attributes)
  const was: Record<string, Attributes[string]> = Object.assign(Object.create(null), last.was)
  for (const name of Object.keys(changes)) {
    const value = changes[name] as Attributes[string]
    const there = valueIn(base, name)
    if (same(there, value) || isSameId(definition, name, there, value)) {
      delete attributes[name]
      delete was[name]
      continue
    }
    const old = valueIn(before, name)
    if (!Object.hasOwn(attributes, name) && old !== undefined) was[name] = old
    attributes[name] = value
  }
  return { attributes, was }
}

/** Replaces an unsent delete and a new create of the object by one update, or by the create if the server has no row. */
function takeBack(change: LocalChange, entries: readonly OutboxEntry[], create: Addition): void {
  const { model, object } = change
  const [removal, rest, serverRow] = [entries.at(-1) as OutboxEntry, entries.slice(0, -1), serverRowOf(entries)]
  forget(model, removal)
  const changes = changesOf(model, removal.was, create.attributes)
  const isNew = rest.length === 0 && (!serverRow || serverRow.dead)
  const updateOfRemoved = () =>
    isEmpty(changes) ? rest : withChanges(change, { serverRow, entries: rest }, removal.was, changes)
  storeState(model, object, { serverRow, entries: isNew ? [another(change, create)] : updateOfRemoved() })
}

/** Returns the attributes that differ, ignoring ids that differ only in type. */
const changesOf = ({ definition }: OpenModel, was: Attributes, now: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(difference(was, now)).filter(
      ([name, value]) => !isSameId(definition, name, valueIn(was, name), value),
    ),
  )
