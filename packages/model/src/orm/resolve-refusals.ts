import type { ObjectId } from '@godwit/protocol'
import type { RefusalRef } from '../definition/reported-changes.js'
import { checkId } from '../records/check-id.js'
import { checkAction, type RefusalAction } from '../records/resolve-refusal.js'
import type { ModelState } from './model-state.js'

/** Resolves refused changes of objects in one transaction. Throws `action_unknown` for an action that the operation does not allow. */
export function resolveRefusals(
  state: ModelState,
  objects: readonly ObjectId[],
  refused: Pick<RefusalRef, 'operation' | 'attributes'>,
  action: RefusalAction,
): void {
  checkAction(refused.operation, action)
  const { device, name: model } = state
  const records = state.ready()
  for (const object of objects) checkId(records.definition, object)
  device.transaction(() => {
    for (const object of objects) device.resolveRefusal({ model, object, ...refused }, action)
  })
}
