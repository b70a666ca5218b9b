import type { Attributes, Outcome } from '@godwit/protocol'
import { copyFor, isDenied } from '../copies/copy-state.js'
import { keepServerRow, welcome } from '../copies/move.js'
import { routeAgain } from '../copies/route-entry.js'
import { isWanted } from '../copies/wanted.js'
import { SEARCH_PASS } from '../database/model-rows.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { SourceState } from '../database/source-states.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { mergeAttributes } from '../definition/attribute-values.js'
import { isHash } from '../definition/number-text.js'
import type { Refusal } from '../definition/reported-changes.js'
import type { SdkEvent } from '../events/sdk-events.js'
import { withLinkedIds } from '../outbox/linked-ids.js'
import { entriesOf, type ServerRow, serverRowIn, stateOf, storeState } from '../outbox/object-state.js'
import { refuse, settle } from '../outbox/settle-entry.js'
import { relinkSubscriptions } from '../outbox/subscribed-owners.js'
import type { RowWriter } from '../records/store-row.js'
import { relinkLocalRows, relinkNames, relinkObject } from './relink.js'

/** The context of applying answers, within one transaction. */
export interface ApplyContext {
  readonly models: OpenModels
  readonly model: OpenModel
  readonly rows: RowWriter
  /** ISO 8601. */
  readonly now: string
  /** Emitted after the commit. */
  readonly events: SdkEvent[]
  readonly refusals: Refusal[]
}

/** Applies outcomes in order, each once. Returns the state with the new acknowledgement. */
export function applyOutcomes(context: ApplyContext, state: SourceState, outcomes: readonly Outcome[]): SourceState {
  let acknowledged = state.acknowledged
  for (const outcome of outcomes) {
    if (outcome.outcome !== undefined && outcome.outcome <= acknowledged) continue
    acknowledged = outcome.outcome ?? acknowledged
    const entry = numberedEntry(context.model, outcome.number)
    if (entry) applyOutcome(context, state, entry, outcome)
  }
  return { ...state, acknowledged }
}

/** Returns the entry that a number names in the model's source, or in the copy through which it is used. */
export const numberedEntry = ({ scope: { outbox }, name, copy }: OpenModel, number: number): OutboxEntry | undefined =>
  copy ? outbox.numberedIn(copy.id, number) : outbox.numbered(name, number)

function applyOutcome(context: ApplyContext, state: SourceState, entry: OutboxEntry, outcome: Outcome): void {
  const { model, events } = context
  const { status } = outcome
  const { entry: number, object, operation } = entry
  if (status === 'queued') {
    if (entry.state !== 'accepted') model.scope.outbox.change(number, { state: 'accepted' })
  } else if (status === 'in_doubt') {
    if (entry.state === 'doubt') return
    model.scope.outbox.change(number, { state: 'doubt' })
    events.push({ kind: 'in_doubt', model: model.name, object, operation })
  } else if (status === 'applied') {
    applied[operation](context, state, entry, outcome)
    keepOwn(model, outcome.link ?? object, entry)
    if (outcome.overwrote) listOverwritten(context, entry, outcome.overwrote)
  } else if (status === 'gone' && model.copy && routeAgain({ ...model, copy: model.copy }, entry)) {
    model.scope.outbox.wrote(model.name)
  } else {
    const error = outcome.error ?? { code: status, message: `The server responded with ${status}.` }
    context.refusals.push(...refuse(context.models, model, entry, { status, error, at: context.now }))
  }
}

/** Lists the values of others that a change replaced. Of a delete, others had changed some; the rest of the object is as this device saw it. */
function listOverwritten(
  { model, events, now }: ApplyContext,
  { object, operation, attributes, was }: OutboxEntry,
  replaced: Attributes,
): void {
  if (operation === 'create') return
  const overwrote = operation === 'delete' ? mergeAttributes(was, replaced) : replaced
  const facts = { model: model.name, object, operation, attributes, overwrote, at: now }
  const { at, ...listed } = model.scope.overwritten.add(facts)
  events.push({ kind: 'overwritten', ...listed })
}

const applied = {
  create(context: ApplyContext, state: SourceState, entry: OutboxEntry, outcome: Outcome): void {
    const { model } = context
    const { link } = outcome
    const object = link ?? entry.object
    if (link !== undefined && link !== entry.object) relink(context, entry, link)
    if (outcome.removed && moved(context, state, { ...entry, object }, outcome)) {
      if (object === entry.object) forgetNames(context, object)
      settle(model, { ...entry, object })
      return
    }
    // The outcome of a create always carries the object; without it the object is gone. A server that keeps no content cannot send it.
    const { version, attributes = model.definition.passThrough ? entry.attributes : undefined } = outcome
    const isWritten = attributes !== undefined && write(context, state, object, { version, attributes })
    if (!isWritten) keepDead(model, object, version, attributes ?? entry.attributes)
    if (object === entry.object) forgetNames(context, object)
    settle(model, { ...entry, object })
  },

  update(context: ApplyContext, state: SourceState, entry: OutboxEntry, outcome: Outcome): void {
    const { model } = context
    const serverRow = serverRowIn(model, entry.object)
    if (serverRow?.pass === SEARCH_PASS && !outcome.attributes) {
      const attributes = mergeAttributes(serverRow.attributes, entry.whole ?? entry.attributes)
      putServerRow(model, entry.object, { ...serverRow, attributes })
      settle(model, entry)
      return
    }
    // The attributes are omitted if the device saw the version just before, even under another client id, or if no content is kept: the device has
    // the object with its changes applied.
    const isLeftOut =
      entry.seen !== null || (entry.sent && isBefore(serverRow, outcome)) || model.definition.passThrough
    const view =
      isLeftOut && serverRow ? mergeAttributes(serverRow.attributes, entry.whole ?? entry.attributes) : undefined
    const attributes = outcome.attributes ?? view
    if (outcome.removed) {
      if (!moved(context, state, entry, outcome)) remove(context, state, entry.object, outcome.version)
    } else if (attributes) write(context, state, entry.object, { version: outcome.version, attributes })
    settle(model, entry)
  },

  delete(context: ApplyContext, state: SourceState, entry: OutboxEntry, outcome: Outcome): void {
    const { model } = context
    const { version, attributes } = outcome
    // Attributes are present if the object was written to during the call; the next query brings the result.
    if (attributes) write(context, state, entry.object, { version, attributes })
    else if (!remove(context, state, entry.object, version)) {
      if (stateOf(model, entry.object).serverRow?.pass === SEARCH_PASS) putServerRow(model, entry.object, undefined)
    }
    settle(model, entry)
  },
}

/** Handles an object that is in another partition now. Returns false if the outcome names none. */
function moved(context: ApplyContext, state: SourceState, { object }: OutboxEntry, outcome: Outcome): boolean {
  const { model, rows, now } = context
  const { moved: to, attributes, version } = outcome
  const { copy } = model
  if (!to || !attributes || !copy) return false
  const isCurrent = isNews(rows, state, object, version) || !serverRowIn(model, object)
  const target = isCurrent
    ? welcome({ ...model, copy }, { object, to, attributes, now: Date.parse(now) })
    : copyFor(model, to)
  remove(context, state, object, version)
  keepServerRow(target, { object, attributes })
  return true
}

/** True if the outcome may add the object to the model: a copy that nothing wants has no rows. */
const isKept = ({ model, now }: ApplyContext): boolean => {
  const { copy } = model
  if (!copy) return true
  return !isDenied(copy) && (model.state.get().token !== null || isWanted(model, copy.partition, Date.parse(now)))
}

/** Stores the server's row of an outcome, unless pages have delivered a newer one. */
function write(
  context: ApplyContext,
  state: SourceState,
  object: string,
  { version, attributes }: { version: number; attributes: Attributes },
): boolean {
  const { rows, model } = context
  const isNew = isNews(rows, state, object, version)
  if (isNew && !isKept(context)) {
    if (model.copy) keepServerRow({ ...model, copy: model.copy }, { object, attributes, version })
    return false
  }
  if (isNew) rows.putOutcome(object, version, attributes)
  return isNew
}

/** True for a live row without the effect of the outcome. A row that a page of this client id delivered is compared before the write. */
const isBefore = (serverRow: ServerRow | undefined, { version }: Outcome): boolean =>
  serverRow?.dead === false && serverRow.version !== 0 && -serverRow.version < version

function remove({ rows }: ApplyContext, state: SourceState, object: string, version: number): boolean {
  const isNew = isNews(rows, state, object, version)
  if (isNew) rows.remove(object, version)
  return isNew
}

/** False for an outcome older than the pages: the object may have changed or gone since. */
const isNews = (rows: RowWriter, { base }: SourceState, object: string, version: number): boolean =>
  version > base && version > rows.knownVersion(object)

/**
 * Keeps the files that this device sent, unless the attribute has `overwrite`. An undecided change of the attribute shows its own file, also where
 * this object became one with another whose file was kept.
 */
function keepOwn(model: OpenModel, object: string, { attributes }: OutboxEntry): void {
  const { name: source, blobs, scope } = model
  const later = entriesOf(model, object)
  for (const { name, option } of blobs) {
    const hash = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (later.some(entry => Object.hasOwn(entry.attributes, name))) scope.blobs.own.remove(source, object, name)
    else if (option !== 'overwrite' && isHash(hash)) scope.blobs.own.put(source, object, name, hash)
  }
}

function relink({ models, model, events }: ApplyContext, entry: OutboxEntry, real: string): void {
  const link = { model: model.name, temporary: entry.object, real }
  relinkObject(model, entry.object, real)
  relinkNames(models, link)
  relinkSubscriptions(models, link)
  relinkLocalRows(models, link)
  models.live.linked(model.name, withLinkedIds([model], [entry.object, real]))
  events.push({ kind: 'renamed', model: model.name, from: entry.object, to: real })
}

/** The object has its real id: changes that refer to the temporary one need not wait. */
function forgetNames({ models, model }: ApplyContext, object: string): void {
  for (const { named } of models.allScopes()) named.forgetOwner(model.name, object)
}

/** Created and removed again: later changes are decided on a removed object. */
function keepDead(model: OpenModel, object: string, version: number, attributes: Attributes): void {
  if (stateOf(model, object).serverRow) return
  putServerRow(model, object, { version, pass: 0, attributes, dead: true, ...(model.copy && { copy: model.copy.id }) })
}

function putServerRow(model: OpenModel, object: string, serverRow: ServerRow | undefined): void {
  storeState(model, object, { serverRow, entries: entriesOf(model, object) })
}
