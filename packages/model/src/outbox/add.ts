import type { Attributes, ObjectId } from '@godwit/protocol'
import { difference, isEmpty, merged, NO_ATTRIBUTES, picked, same, valueIn } from '../database/attributes.js'
import type { StoredRow } from '../database/model-rows.js'
import type { Model, Models } from '../database/models.js'
import type { Entry, NewEntry } from '../database/tables/outbox-table.js'
import { isNamed, type NamedCreate, namesIn, noteNames } from './named.js'
import { keepBeneath, overlay, refreshVisible } from './overlay.js'

/** A local change of one object. */
export interface Change {
  readonly models: Models
  readonly model: Model
  readonly object: ObjectId
}

/** Notes that an object was made. `known`: the id was not made just now, so that entries of it may wait already. */
export function addCreate({ models, model, object }: Change, attributes: Attributes, known: boolean): void {
  const last = known ? model.partition.outbox.of(model.name, object).at(-1) : undefined
  if (last?.operation === 'delete' && isOpen(last)) takeBack({ models, model, object }, last, attributes)
  else add({ models, model, object }, { operation: 'create', attributes, was: NO_ATTRIBUTES, seen: null })
}

/** Notes what changed of an object that the app sees as `before`; `changes` differ from it. */
export function addUpdate(change: Change, before: StoredRow, changes: Attributes): void {
  const { model, object } = change
  const entries = model.partition.outbox.of(model.name, object)
  if (entries.length === 0) keepBeneath(model, object, before)
  addChanges(change, entries, before, changes)
}

function addChanges(change: Change, entries: readonly Entry[], before: StoredRow, changes: Attributes): void {
  const { models, model } = change
  const last = entries.at(-1)
  if (last && isOpen(last) && mayJoin(last, namesIn(models, model, changes))) {
    join(change, entries, before, changes)
    return
  }
  const was = picked(before.attributes, Object.keys(changes))
  add(change, { operation: 'update', attributes: changes, was, seen: last ? null : known(before.version) })
}

/** Notes that an object went that the app saw as `before`. */
export function addDelete(change: Change, before: StoredRow): void {
  const { models, model, object } = change
  const { outbox, beneath, named } = model.partition
  const last = outbox.of(model.name, object).at(-1)
  if (!last) keepBeneath(model, object, before)
  const open = last && isOpen(last) ? last : undefined
  const wanted =
    open?.operation === 'create' &&
    (isNamed(models, model.name, object) || beneath.get(model.name, object) !== undefined)
  if (open && !wanted) {
    outbox.remove(open.entry)
    named.forget(open.entry)
    if (open.operation === 'create') return
  }
  const was = open?.operation === 'update' ? undone(before.attributes, open) : before.attributes
  const seen = last ? (open?.seen ?? null) : known(before.version)
  add(change, { operation: 'delete', attributes: NO_ATTRIBUTES, was, seen })
}

/** In no request yet: later edits may join it. */
const isOpen = (entry: Entry): boolean => entry.key === null

const known = (version: number): number | null => (version > 0 ? version : null)

const undone = (attributes: Attributes, { attributes: changes, was }: Entry): Attributes =>
  merged(attributes, { ...Object.fromEntries(Object.keys(changes).map(name => [name, null])), ...was })

/** What names a temporary id must come after that id's create, its own too: a create cannot tell the source an id that it has yet to give. */
const mayJoin = (last: Entry, names: readonly NamedCreate[]): boolean =>
  last.operation !== 'delete' && names.every(({ create }) => create < last.entry)

function add({ models, model, object }: Change, entry: Omit<NewEntry, 'model' | 'object'>): void {
  const { outbox } = model.partition
  outbox.add({ ...entry, model: model.name, object })
  if (model.definition.belongsTo.size > 0) noteAll(models, model, outbox.last(), entry)
}

function noteAll(
  models: Models,
  model: Model,
  entry: number,
  { attributes, was }: Pick<Entry, 'attributes' | 'was'>,
): void {
  if (model.definition.belongsTo.size === 0) return
  noteNames(model, entry, [...namesIn(models, model, attributes), ...namesIn(models, model, was)])
}

function join(
  { models, model, object }: Change,
  entries: readonly Entry[],
  before: StoredRow,
  changes: Attributes,
): void {
  const { outbox, beneath } = model.partition
  const last = entries.at(-1) as Entry
  const base = overlay(beneath.get(model.name, object)?.attributes ?? null, entries.slice(0, -1)) ?? NO_ATTRIBUTES
  const joined =
    last.operation === 'create'
      ? { attributes: merged(last.attributes, changes), was: last.was }
      : joinedUpdate(last, base, before, changes)
  if (last.operation === 'update' && isEmpty(joined.attributes)) outbox.remove(last.entry)
  else outbox.change(last.entry, joined)
  model.partition.named.forget(last.entry)
  if (isEmpty(joined.attributes) && last.operation === 'update') refreshVisible(model, object)
  else noteAll(models, model, last.entry, joined)
}

/** What is set back to what the server has is no change any more. */
function joinedUpdate(
  last: Entry,
  base: Attributes,
  before: StoredRow,
  changes: Attributes,
): Pick<Entry, 'attributes' | 'was'> {
  const attributes: Record<string, Attributes[string]> = Object.assign(Object.create(null), last.attributes)
  const was: Record<string, Attributes[string]> = Object.assign(Object.create(null), last.was)
  for (const name of Object.keys(changes)) {
    const value = changes[name] as Attributes[string]
    if (same(valueIn(base, name), value)) {
      delete attributes[name]
      delete was[name]
      continue
    }
    const old = valueIn(before.attributes, name)
    if (!Object.hasOwn(attributes, name) && old !== undefined) was[name] = old
    attributes[name] = value
  }
  return { attributes, was }
}

/** Made again before its removal was sent: what remains is what differs from before the removal. */
function takeBack(change: Change, removal: Entry, attributes: Attributes): void {
  const { model, object } = change
  const { outbox, named, beneath } = model.partition
  outbox.remove(removal.entry)
  named.forget(removal.entry)
  const entries = outbox.of(model.name, object)
  const row = beneath.get(model.name, object)
  const changes = difference(removal.was, attributes)
  if (entries.length === 0 && (!row || row.dead))
    add(change, { operation: 'create', attributes, was: NO_ATTRIBUTES, seen: null })
  else if (!isEmpty(changes))
    addChanges(change, entries, { version: row?.version ?? 0, pass: 0, attributes: removal.was }, changes)
  refreshVisible(model, object)
}
