import { type Attributes, SyncError } from '@godwit/protocol'
import type { OpenModels } from '../database/open-models.js'
import type { RefusalTable } from '../database/tables/refusal-table.js'
import { isEmpty, sameMembers } from '../definition/attribute-values.js'
import type { Refusal, RefusalRef } from '../definition/reported-changes.js'
import { withLinkedIds } from '../outbox/linked-ids.js'
import type { Records } from './records.js'

export type RefusalAction = 'delete' | 'recreate' | 'retry' | 'rollback'

const ACTIONS: { readonly [Operation in Refusal['operation']]: readonly RefusalAction[] } = {
  create: ['delete', 'recreate'],
  update: ['retry', 'rollback'],
  delete: ['retry'],
}

/** Throws `action_unknown` for an action that the operation does not allow. */
export function checkAction(operation: Refusal['operation'], action: RefusalAction): void {
  const allowed = ACTIONS[operation]
  if (allowed.includes(action)) return
  throw new SyncError(
    'action_unknown',
    `A refused ${operation} takes ${allowed.join(' or ')}, got ${JSON.stringify(action)}.`,
  )
}

/**
 * Resolves a refused change by an action, inside the caller's transaction. The change is already rolled back, so `delete` and `rollback` only remove
 * the refusal from the list.
 */
export function resolveRefusal(models: OpenModels, records: Records, ref: RefusalRef, action: RefusalAction): void {
  checkAction(ref.operation, action)
  const listed = listedOf(models, ref)
  const meant = meantBy(ref, listed)
  if (!meant) return
  const { object, operation } = ref
  const deletes = action === 'recreate' ? deletedSince(models, meant.refusal) : []
  if (action === 'recreate' && deletes.length > 0)
    for (const { refusals, refusal } of deletes) refusals.remove(refusal.id)
  else if (action === 'recreate' && !isDeleted(models, ref) && !records.get(object))
    records.insertAgain(meant.refusal.attributes, object)
  if (action === 'retry' && operation === 'update' && !changeAgain(records, ref, meant.refusal)) return
  if (action === 'retry' && operation === 'delete') records.destroy(object)
  for (const { refusals, refusal } of operation === 'update' ? [meant] : listed) refusals.remove(refusal.id)
}

/** Makes a refused update again. Returns false, which keeps the refusal listed, if there is no such object. */
const changeAgain = (records: Records, { object, attributes }: RefusalRef, refusal: Refusal): boolean =>
  (isGiven(attributes) && !sameMembers(attributes, refusal.attributes)
    ? records.change(object, attributes)
    : records.changeAgain(object, refusal.attributes)) !== undefined

/** Returns the later refusals of deletes of the same object: the app deleted it before its create was refused. */
const deletedSince = (models: OpenModels, { model, object, id }: Refusal): readonly ListedRefusal[] =>
  listedOf(models, { model, object, operation: 'delete' }).filter(({ refusal }) => refusal.id > id)

/** Returns true while a delete of the object is undecided. */
const isDeleted = (models: OpenModels, { model, object }: RefusalRef): boolean =>
  models.allScopes().some(({ outbox }) => outbox.hidden(model, object) !== null)

interface ListedRefusal {
  readonly refusals: RefusalTable
  readonly refusal: Refusal
}

/** Returns the refusals of an object under any of its ids, latest first. Each is in the file of the partition that the model had at that time. */
function listedOf(models: OpenModels, ref: RefusalRef): readonly ListedRefusal[] {
  const model = models.get(ref.model)
  const now = model?.scope
  const ids = model ? [...withLinkedIds([model], [ref.object])] : [ref.object]
  const scopes = models.allScopes().filter(partition => partition !== now)
  return (now ? [now, ...scopes] : scopes).flatMap(({ refusals }) =>
    ids
      .flatMap(object => refusals.of({ ...ref, object }))
      .sort((one, other) => other.id - one.id)
      .map(refusal => ({ refusals, refusal })),
  )
}

const meantBy = ({ attributes }: RefusalRef, listed: readonly ListedRefusal[]): ListedRefusal | undefined =>
  listed.find(({ refusal }) => isGiven(attributes) && sameMembers(refusal.attributes, attributes)) ?? listed[0]

/** Returns true if attributes are given; untyped callers may omit them. */
const isGiven = (attributes: Attributes | undefined): attributes is Attributes =>
  attributes !== undefined && attributes !== null && !isEmpty(attributes)
