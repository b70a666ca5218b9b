import { SyncError } from '@godwit/protocol'
import type { Models } from '../database/models.js'
import type { Refusal, RefusalRef } from '../device.js'
import type { Records } from './records.js'

export type RefusalAction = 'delete' | 'recreate' | 'retry' | 'rollback'

const ACTIONS: { readonly [Operation in Refusal['operation']]: readonly RefusalAction[] } = {
  create: ['delete', 'recreate'],
  update: ['retry', 'rollback'],
  delete: ['retry'],
}

/** Throws `action_unknown` for an action that a refused change of this kind does not take. */
export function checkAction(operation: Refusal['operation'], action: RefusalAction): void {
  const allowed = ACTIONS[operation]
  if (allowed.includes(action)) return
  throw new SyncError(
    'action_unknown',
    `A refused ${operation} takes ${allowed.join(' or ')}, got ${JSON.stringify(action)}.`,
  )
}

/** What a handler decides about a refused change, inside the caller's transaction. It was rolled back before: `delete` and `rollback` leave it at that. */
export function resolveRefusal(models: Models, records: Records, ref: RefusalRef, action: RefusalAction): void {
  checkAction(ref.operation, action)
  const refusals = models.get(ref.model)?.partition.refusals
  const refusal = refusals?.find(ref)
  if (!refusal) return
  refusals?.remove(ref)
  if (action === 'recreate' && !records.get(ref.object)) records.insert(refusal.attributes, ref.object)
  if (action === 'retry' && ref.operation === 'update') records.change(ref.object, refusal.attributes)
  if (action === 'retry' && ref.operation === 'delete') records.destroy(ref.object)
}
