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
  const refusal = taken(models, ref)
  if (!refusal) return
  if (action === 'recreate' && !records.get(ref.object)) records.insert(refusal.attributes, ref.object)
  if (action === 'retry' && ref.operation === 'update') records.change(ref.object, refusal.attributes)
  if (action === 'retry' && ref.operation === 'delete') records.destroy(ref.object)
}

/** The latest of these, which is listed no longer. It stays in the file where its model was when it was refused. */
function taken(models: Models, ref: RefusalRef): Refusal | undefined {
  const now = models.get(ref.model)?.partition
  const partitions = models.allPartitions().filter(partition => partition !== now)
  const found = (now ? [now, ...partitions] : partitions).map(({ refusals }) => {
    const refusal = refusals.find(ref)
    refusals.remove(ref)
    return refusal
  })
  return found.find(refusal => refusal !== undefined)
}
