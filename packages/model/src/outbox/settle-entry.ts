import type { ObjectId } from '@godwit/protocol'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { NO_ATTRIBUTES, pickAttributes } from '../definition/attribute-values.js'
import { hashesIn } from '../definition/blob-names.js'
import type { Refusal } from '../definition/reported-changes.js'
import { entriesOf, type ObjectState, stateOf, storeState } from './object-state.js'
import { overlay } from './overlay.js'
import { endSubscriptions } from './subscribed-owners.js'

/** Why an entry was refused, as reported to the app. */
export type RefusalReason = Pick<Refusal, 'status' | 'error' | 'at'>

/** Removes a decided entry and rebases the later ones on the server's row. */
export function settle(model: OpenModel, entry: OutboxEntry): void {
  const { serverRow, entries } = stateOf(model, entry.object)
  const waiting = { serverRow, entries: entries.filter(other => other.entry !== entry.entry) }
  model.scope.outbox.remove(entry.entry)
  model.scope.named.forget(entry.entry)
  if (model.definition.by) model.scope.routes.remove(entry.entry)
  rebase(model, waiting)
  storeState(model, entry.object, waiting)
}

/** Removes a refused entry and, for a create, all entries that depend on its object. Returns all refusals, this one first. */
export function refuse(
  models: OpenModels,
  model: OpenModel,
  entry: OutboxEntry,
  reason: RefusalReason,
): readonly Refusal[] {
  const { object, operation, attributes } = entry
  // All that a removed object last had here, so that an app can name it and create it again.
  const was = (reason.status === 'gone' ? stateOf(model, object).serverRow?.attributes : undefined) ?? entry.was
  settle(model, entry)
  wantFiles(model, object)
  const refusal = model.scope.refusals.add({ ...reason, model: model.name, object, operation, attributes, was })
  if (operation === 'create') endSubscriptions(models, model.name, object)
  return operation === 'create' ? [refusal, ...refuseDependents(models, model, object, reason.at)] : [refusal]
}

/** Requests the blobs of a row that shows the server's values again, which may not have been downloaded while it showed local ones. */
function wantFiles({ name, blobs, rows, scope }: OpenModel, object: ObjectId): void {
  if (blobs.length === 0) return
  const { attributes = NO_ATTRIBUTES } = rows.get(object) ?? {}
  for (const hash of hashesIn(blobs, attributes)) scope.blobs.wanted.add(name, object, hash)
}

/** Refuses later changes of an object whose create was refused, and unsent changes that refer to it. The server refuses those already sent. */
export function refuseDependents(
  models: OpenModels,
  owner: OpenModel,
  object: ObjectId,
  at: string,
): readonly Refusal[] {
  const reason: RefusalReason = {
    status: 'depends_on_refused',
    error: {
      code: 'depends_on_refused',
      message: `The creation of ${owner.name} ${object}, which it names, was refused.`,
    },
    at,
  }
  const later = entriesOf(owner, object).map(({ entry }) => [owner, entry] as const)
  const naming = models
    .allScopes()
    .flatMap(scope =>
      scope.named.by(owner.name, object).map(number => [scope.outbox.get(number)?.model, number] as const),
    )
  const dependents = [...later, ...naming.map(([name, number]) => [models.get(name ?? ''), number] as const)]
  return dependents.flatMap(([model, number]) => {
    const entry = model?.scope.outbox.get(number)
    return model && entry && entry.key === null ? refuse(models, model, entry, reason) : []
  })
}

/** Updates `was` and `seen` of undecided changes, not yet sent, to the current server row. */
function rebase({ scope }: OpenModel, { serverRow, entries }: ObjectState): void {
  let state = serverRow?.attributes ?? null
  for (const [place, entry] of entries.entries()) {
    if (entry.key === null && entry.operation !== 'create') {
      const was =
        entry.operation === 'update'
          ? pickAttributes(state ?? NO_ATTRIBUTES, Object.keys(entry.attributes))
          : (state ?? NO_ATTRIBUTES)
      const seen = place === 0 && serverRow && !serverRow.dead && serverRow.version > 0 ? serverRow.version : null
      scope.outbox.change(entry.entry, { was, seen })
    }
    state = overlay(state, [entry])
  }
}
