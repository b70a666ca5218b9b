import { SEARCH_PASS } from '../database/model-rows.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { stateOf } from '../outbox/object-state.js'
import { canTake } from '../outbox/take.js'
import { type CopiedModel, copyAt, copyFor, partitionIn } from './copy-state.js'
import { namesTemporary } from './wanted.js'

/** The most copies to which an entry goes after the one that says its object is gone. */
const MAX_TRIES = 3

/**
 * Returns the copy to which an entry goes; undefined while it has to wait. An entry in a request keeps its copy for life. A create goes to the
 * partition that its attributes name, a change to the leading copy, or without one to the copy that had the object last; never by the changed
 * attributes, which may name the partition to which the object moves.
 */
export function routeOf(models: OpenModels, model: OpenModel, entry: OutboxEntry): CopiedModel | undefined {
  const isFirst = entry.first === null || model.scope.routes.get(entry.entry) !== undefined
  return isFirst ? destinationOf(models, model, entry) : undefined
}

/** Returns the copy to which an entry would go now, also if an earlier one of its object is undecided. */
export function destinationOf(models: OpenModels, model: OpenModel, entry: OutboxEntry): CopiedModel | undefined {
  const { scope } = model
  const copy = scope.routes.get(entry.entry)?.copy
  if (typeof copy === 'number') return copyAt(model, copy)
  if (namesTemporary(models, model, entry.attributes)) return undefined
  if (entry.operation === 'create') return copyNamedBy(model, entry.attributes)
  const { serverRow } = stateOf(model, entry.object)
  const isFound = serverRow?.pass === SEARCH_PASS
  if (serverRow && !isFound && typeof serverRow.copy === 'number') return copyAt(model, serverRow.copy)
  return copyNamedBy(model, serverRow?.attributes ?? entry.was)
}

function copyNamedBy(model: OpenModel, attributes: object): CopiedModel | undefined {
  const parameters = partitionIn(model, attributes)
  return parameters && copyFor(model, parameters)
}

/** True if an entry belongs into a request of this model, or of the copy through which it is used. */
export const isSentTo = (models: OpenModels, model: OpenModel, entry: OutboxEntry): boolean =>
  !model.copy || routeOf(models, model, entry)?.copy.id === model.copy.id

/** Returns true if there is anything to send now, ignoring missing blobs. */
export const canSend = (models: OpenModels, model: OpenModel): boolean =>
  canTake(models, model, model.definition.by ? { isHere: entry => routeOf(models, model, entry) !== undefined } : {})

/** Returns the copies to which entries go, in the order of their first entry. */
export function copiesToSend(models: OpenModels, model: OpenModel): readonly CopiedModel[] {
  const found = new Map<number, CopiedModel>()
  for (const entry of model.scope.outbox.ofModel(model.name)) {
    const to = routeOf(models, model, entry)
    if (to && !found.has(to.copy.id)) found.set(to.copy.id, to)
  }
  return [...found.values()]
}

/**
 * Sends an entry to another copy that has its object, instead of reporting that it is gone. Key and content stay. Returns false if there is none, or
 * three were tried.
 */
export function routeAgain(model: CopiedModel, entry: OutboxEntry): boolean {
  const { scope, name } = model
  const tries = scope.routes.get(entry.entry)?.tries ?? 0
  if (tries >= MAX_TRIES) return false
  const { serverRow } = stateOf(model, entry.object)
  const leading = serverRow?.dead === false ? serverRow.copy : undefined
  const others = [leading, ...scope.memberships.of(name, entry.object).map(({ copy }) => copy)]
  const other = others.find(copy => typeof copy === 'number' && copy !== model.copy.id)
  if (typeof other !== 'number') return false
  scope.outbox.change(entry.entry, { number: null, state: 'unsent', seen: null })
  scope.routes.set(entry.entry, { copy: other, tries: tries + 1 })
  return true
}
